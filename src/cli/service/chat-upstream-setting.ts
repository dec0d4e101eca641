/** The chat service that the studio passes requests on to, from the environment; none where `SHOTLIST_CHAT_UPSTREAM` is not set. */
import type { ChatUpstream } from '../../studio/index.ts';

export function chatUpstream(env: Readonly<Record<string, string | undefined>>): {
  readonly chatUpstream?: ChatUpstream;
} {
  const url = env.SHOTLIST_CHAT_UPSTREAM?.trim();
  if (!url) return {};
  const [key, model] = [env.SHOTLIST_CHAT_UPSTREAM_KEY?.trim(), env.SHOTLIST_CHAT_UPSTREAM_MODEL?.trim()];
  return { chatUpstream: { url, ...(key && { key }), ...(model && { model }) } };
}
