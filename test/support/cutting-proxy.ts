/** A way to a server that a test can cut: at the moment when certain bytes go over it, in either direction. */
import { connect, createServer, type Socket } from 'node:net';

export interface Cut {
  /** In what the client says. */
  readonly at: string;
  /** `unsaid`: the server never hears it. `unheard`: the server does it, and its answer never arrives. */
  readonly when: 'unsaid' | 'unheard';
  /** Connections that say it, and are let through before. */
  readonly after?: number;
}

export interface CuttingProxy {
  /** The address of the server, through here. */
  readonly url: string;
  /** How often it was cut. */
  readonly cuts: number;
  /** The next connection that says this breaks; of several, each behind the one before. */
  cut(...cuts: readonly Cut[]): void;
  /** All connections break, and none is let through until `open`. */
  shut(): void;
  open(): void;
  /** What connects from now on reaches another server; what is connected stays where it is. */
  moveTo(url: string): void;
  close(): Promise<void>;
}

/** @param url of the server, without TLS. */
export async function cuttingProxy(url: string): Promise<CuttingProxy> {
  let target = new URL(url);
  const sockets = new Set<Socket>();
  let next: readonly Cut[] = [];
  let seen = 0;
  let cuts = 0;
  let isShut = false;
  const server = createServer(client => {
    if (isShut) return void client.destroy();
    const upstream = connect(Number(target.port), target.hostname);
    let isDeaf = false;
    const end = () => {
      for (const one of [client, upstream]) {
        sockets.delete(one);
        one.destroy();
      }
    };
    for (const one of [client, upstream]) {
      sockets.add(one);
      one.on('error', end);
      one.on('close', end);
    }
    client.on('data', said => {
      const [cut, ...others] = next;
      if (cut && said.includes(cut.at) && seen++ >= (cut.after ?? 0)) {
        next = others;
        seen = 0;
        cuts++;
        if (cut.when === 'unsaid') return end();
        isDeaf = true;
      }
      upstream.write(said);
    });
    upstream.on('data', answer => {
      // It was done when its answer comes.
      if (isDeaf) end();
      else client.write(answer);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String(address !== null && typeof address === 'object' ? address.port : 0);
  return {
    url: through.href,
    get cuts() {
      return cuts;
    },
    cut: (...all) => {
      next = all;
      seen = 0;
    },
    shut: () => {
      isShut = true;
      for (const one of sockets) one.destroy();
    },
    open: () => {
      isShut = false;
    },
    moveTo: to => {
      target = new URL(to);
    },
    close: async () => {
      for (const one of sockets) one.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
