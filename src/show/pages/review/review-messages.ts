/** Answers of the review page's server to a request without access, and to one for what is not there. */
export const messages = {
  wrongHost: (port: number): string => `this page answers on this machine only: use http://127.0.0.1:${port}`,
  foreignOrigin: (): string => 'another page asks for this: nothing is shown to it, and nothing is decided by it',
  noToken: (): string =>
    'this address lacks the token of the review, or has that of an earlier one: open the link that `shotlist review` has printed',
  wrongMethod: (): string => 'nothing here is asked for like that',
  nothingHere: (): string => 'nothing is here',
  notShown: (): string => 'no result with this digest is under review',
  notOnThisMachine: (): string => 'this result is not on this machine any more; run the film again to fetch or make it',
  noStill: (): string => 'there is no still of this',
  noCopy: (): string => 'no copy in H.264 could be made of this',
  badAction: (why: string): string => `this decides nothing: ${why}`,
  tooMany: (): string => 'too many pages of this review are open: close some',
};
