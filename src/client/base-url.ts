/** Where a service lives: its origin, the path it is mounted under, and the rule that a key never travels in the clear. */
import { isUnencrypted } from '../model/loopback.ts';

/** A person set something about a service wrongly. The message can be shown as it is and never holds the key. */
export class SettingError extends Error {
  readonly setting: 'base-url' | 'key' | 'publish' | 'store' | 'on' | 'reporters' | 'budget' | 'limits';
  constructor(setting: SettingError['setting'], message: string) {
    super(message);
    this.name = 'SettingError';
    this.setting = setting;
  }
}

export interface BaseUrl {
  /** `https://host:port`: the only place the key is ever sent to. */
  readonly origin: string;
  readonly host: string;
  /** `''`, or a path without a slash at its end: `/hub`. */
  readonly prefix: string;
}

/**
 * Reads a base address as people write it: with or without slashes at the end, perhaps under a path.
 * `http://` is for this machine only. Throws a `SettingError`.
 */
export function parseBaseUrl(text: string): BaseUrl {
  const trimmed = text.trim();
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  const problem = url === undefined ? 'is no web address' : urlProblem(url);
  if (url === undefined || problem !== undefined) {
    // The address is not quoted when it may hold a password.
    const shown = trimmed.includes('@') ? 'the base address' : `the base address \`${trimmed.slice(0, 200)}\``;
    throw new SettingError('base-url', `${shown} ${problem}; write it as https://host or https://host/path`);
  }
  return { origin: url.origin, host: url.host, prefix: url.pathname.replace(/\/+$/, '') };
}

function urlProblem(url: URL): string | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'is no web address';
  if (url.username !== '' || url.password !== '') return 'holds a user name or a password';
  if (url.search !== '' || url.hash !== '') return 'holds a `?` or a `#`';
  if (isUnencrypted(url)) {
    return 'would send the key unencrypted (http is for a service on this machine only)';
  }
  return undefined;
}

/** Throws a `SettingError` for a key that no header could carry: undici's own message would quote it. */
export function checkKey(key: string): void {
  if (/^[\x21-\x7e]*$/.test(key)) return;
  throw new SettingError('key', 'the key holds a blank or a character that no header can carry; copy it again');
}
