/** What stands on the page before anything is drawn. Nothing of a film is in it. */
export const REVIEW_BODY = `<div id="room" class="room"></div>
<noscript><p class="without">This page is drawn by the script that stands in it; this browser runs none. shotlist pick and shotlist approve do the same at a terminal.</p></noscript>`;
