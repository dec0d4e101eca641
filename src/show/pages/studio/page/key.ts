/** The key of the studio: kept in this tab alone, and sent in a header. */
const NAME = 'shotlist-studio-key';

export const keptKey = (): string | null => sessionStorage.getItem(NAME);
export const keepKey = (key: string): void => sessionStorage.setItem(NAME, key);
export const forgetKey = (): void => sessionStorage.removeItem(NAME);

export const withKey = (): { readonly authorization: string } => ({ authorization: `Bearer ${keptKey() ?? ''}` });

/** `#key=…` never reaches a server; taken out of the address, it is not left in the history either. False: there was none. */
export function takeKeyFromAddress(): boolean {
  const given = new URLSearchParams(location.hash.slice(1)).get('key');
  if (!given) return false;
  keepKey(given);
  history.replaceState(null, '', location.pathname);
  return true;
}
