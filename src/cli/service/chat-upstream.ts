/** Where the studio passes chat on to, from the environment. Nowhere, when `SHOTLIST_CHAT_UPSTREAM` is not set. */
import type { ChatUpstream } from '../../studio/index.ts';

export function chatUpstream(env: Readonly<Record<string, string | undefined>>): {
  readonly chatUpstream?: ChatUpstream;
} {
  const url = env.SHOTLIST_CHAT_UPSTREAM?.trim();
  if (!url) return {};
  const [key, model] = [env.SHOTLIST_CHAT_UPSTREAM_KEY?.trim(), env.SHOTLIST_CHAT_UPSTREAM_MODEL?.trim()];
  return { chatUpstream: { url, ...(key && { key }), ...(model && { model }) } };
}
