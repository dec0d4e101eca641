/**
 * A line of TCP between one process and a server, which can be cut: nothing comes through, and neither end hears of it before it is mended. A slow one
 * delivers everything later.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export class Line {
  readonly #server = createServer(near => this.#carry(near));
  readonly #sockets = new Set<Socket>();
  readonly #to: number;
  readonly #delay: number;
  #isCut = false;

  private constructor(to: number, delay: number) {
    this.#to = to;
    this.#delay = delay;
  }

  /**
   * @param to the server's port on this machine.
   * @param delay milliseconds, each way.
   */
  static async open(to: number, delay = 0): Promise<Line> {
    const line = new Line(to, delay);
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
        this.#later(() => {
          if (to.write(bytes)) return;
          from.pause();
          to.once('drain', () => void (this.#isCut || from.resume()));
        });
      });
      from.on('end', () => this.#later(() => to.end()));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        this.#later(() => to.destroy());
      });
      if (this.#isCut) from.pause();
    }
  }

  /** Timers of one delay fire in the order in which they were set. */
  #later(act: () => void): void {
    if (this.#delay === 0) act();
    else setTimeout(act, this.#delay).unref();
  }
}
