/** A line of TCP between one process and a server, which can be cut: nothing comes through, and neither end hears of it before it is mended. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export class Line {
  readonly #server = createServer(near => this.#carry(near));
  readonly #sockets = new Set<Socket>();
  readonly #to: number;
  #isCut = false;

  private constructor(to: number) {
    this.#to = to;
  }

  /** @param to the server's port on this machine. */
  static async open(to: number): Promise<Line> {
    const line = new Line(to);
    line.#server.listen(0, '127.0.0.1');
    await once(line.#server, 'listening');
    return line;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** What was sent meanwhile arrives, late. */
  mend(): void {
    this.#isCut = false;
    for (const socket of this.#sockets) socket.resume();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #carry(near: Socket): void {
    const far = connect(this.#to, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.on('data', bytes => {
        if (!to.write(bytes)) {
          from.pause();
          to.once('drain', () => void (this.#isCut || from.resume()));
        }
      });
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      if (this.#isCut) from.pause();
    }
  }
}
