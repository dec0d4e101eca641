/** A model's text, made safe for a terminal, piece by piece: nothing is left that could begin an order to it. Lines stay lines. */
export const shown = (text: string): string => text.replace(ORDERS, '');

/** C0 but for line ends and tabs, DEL, C1; marks that turn the direction of writing; what cannot be seen. */
const ORDERS =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Cs}]/gu;

/** JSON for other programs, of which a terminal that happens to show it obeys nothing. */
export const safeJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(
    /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
