/**
 * One clock for all takes on the stage: played together, stopped together, and moved by single frames. The longest tells the time; a shorter
 * one waits on its last picture until all begin again.
 */
import type { MediaFacts } from '../../../domain/media.ts';

type Player = HTMLVideoElement | HTMLAudioElement;

const USUAL_FPS = 24;
/** Frames by which a take may be off before it is moved. */
const SLACK = 1.5;

export class FrameClock {
  fps = USUAL_FPS;
  /** Of the longest. */
  frames = 1;
  frame = 0;
  isPlaying: boolean;
  readonly #players = new Map<Player, number>();
  readonly #listeners = new Set<() => void>();

  constructor() {
    this.isPlaying = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    const tick = () => {
      this.#tick();
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  follow(moved: () => void): () => void {
    this.#listeners.add(moved);
    return () => this.#listeners.delete(moved);
  }

  /** Another question: from its beginning. */
  begin(all: readonly (MediaFacts | undefined)[]): void {
    this.measure(all);
    this.seek(0);
  }

  /** What is on the stage now. */
  measure(all: readonly (MediaFacts | undefined)[]): void {
    const timed = all.flatMap(facts =>
      facts?.duration ? [{ fps: USUAL_FPS, ...facts, duration: facts.duration }] : [],
    );
    const longest = timed.reduce<(typeof timed)[number] | undefined>(
      (best, one) => (best && best.duration >= one.duration ? best : one),
      undefined,
    );
    this.fps = longest?.fps || USUAL_FPS;
    this.frames = Math.max(1, Math.round((longest?.duration ?? 0) * this.fps));
    this.#tell();
  }

  /** @returns what takes it away again. */
  add(player: Player, facts: MediaFacts): () => void {
    this.#players.set(player, facts.duration ?? 0);
    const arrived = () => {
      player.currentTime = this.#timeIn(player);
      if (this.isPlaying) player.play().catch(() => {});
    };
    player.addEventListener('loadeddata', arrived);
    if (player.readyState > 1) arrived();
    return () => {
      player.removeEventListener('loadeddata', arrived);
      this.#players.delete(player);
    };
  }

  play(): void {
    this.isPlaying = true;
    if (this.frame >= this.frames - 1) this.#move(0);
    for (const player of this.#players.keys()) player.play().catch(() => {});
    this.#tell();
  }

  pause(): void {
    this.isPlaying = false;
    for (const player of this.#players.keys()) player.pause();
    this.#move(this.frame);
  }

  toggle(): void {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  /** Frames on, or back; beyond either end it goes round. */
  step(by: number): void {
    this.pause();
    this.#move((((this.frame + by) % this.frames) + this.frames) % this.frames);
  }

  seek(frame: number): void {
    this.#move(Math.min(this.frames - 1, Math.max(0, Math.round(frame))));
  }

  #move(frame: number): void {
    this.frame = frame;
    for (const player of this.#players.keys()) if (player.readyState > 0) player.currentTime = this.#timeIn(player);
    this.#tell();
  }

  /** The middle of the frame: at its edge, which one is shown is for rounding to say. */
  #timeIn(player: Player): number {
    const time = (this.frame + 0.5) / this.fps;
    const length = this.#players.get(player) || Number.POSITIVE_INFINITY;
    return Math.max(0, Math.min(time, length - 0.5 / this.fps));
  }

  #tick(): void {
    if (!this.isPlaying || this.#players.size === 0) return;
    const [[lead]] = [...this.#players].sort(([, a], [, b]) => b - a) as [[Player, number]];
    if (lead.readyState < 2 || lead.seeking) return;
    const isOver = lead.ended || lead.currentTime >= (this.frames - 0.5) / this.fps;
    if (isOver) {
      this.#move(0);
      for (const player of this.#players.keys()) player.play().catch(() => {});
      return;
    }
    const frame = Math.min(this.frames - 1, Math.floor(lead.currentTime * this.fps));
    for (const [player, length] of this.#players) {
      if (player === lead || player.readyState < 2 || player.seeking || lead.currentTime > length) continue;
      if (Math.abs(player.currentTime - lead.currentTime) > SLACK / this.fps) player.currentTime = lead.currentTime;
      if (player.paused && !player.ended) player.play().catch(() => {});
    }
    if (frame === this.frame) return;
    this.frame = frame;
    this.#tell();
  }

  #tell(): void {
    for (const moved of this.#listeners) moved();
  }
}
