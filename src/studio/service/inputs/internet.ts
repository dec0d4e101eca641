/** The real internet, as `fetch-source.ts` asks for it. */
import { lookup } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Network } from './fetch-source.ts';

/** Milliseconds without a byte before a server is given up. */
const SILENCE = 20_000;

export const internet: Network = {
  lookup: async host => (await lookup(host, { all: true })).map(({ address }) => address),
  get: async (url, address, signal) => {
    const { request } = await import('node:https');
    return new Promise<IncomingMessage>((resolve, reject) => {
      const family = isIP(address);
      const outgoing = request(url, {
        signal,
        agent: false,
        headers: { accept: 'video/*, image/*, audio/*;q=0.9, */*;q=0.1', 'user-agent': 'shotlist-studio' },
        lookup: (_host, options, done) =>
          options.all ? done(null, [{ address, family }]) : done(null, address, family),
      });
      outgoing.setTimeout(SILENCE, () => outgoing.destroy(new Error(`nothing came for ${SILENCE / 1000} s`)));
      outgoing.on('response', resolve).on('error', reject).end();
    });
  },
};
