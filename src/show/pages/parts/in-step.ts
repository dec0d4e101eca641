/** Media that play in step, on one clock: takes on the stage of a review, and those that a pointer comes to in a report. */
import type { MediaFacts } from '../../../model/media/media.ts';
import { html } from './element.ts';

const USUAL_FPS = 24;
/** Frames by which a take may be off before it is moved. */
const SLACK = 1.5;

/**
 * One clock for several players: played together, stopped together, and moved by single frames. The longest sets the time; a shorter one waits on
 * its last picture until all begin again.
 */
export class FrameClock {
  fps = USUAL_FPS;
  /** Of the longest. */
  frames = 1;
  frame = 0;
  isPlaying: boolean;
  readonly #players = new Map<HTMLMediaElement, number>();
  readonly #listeners = new Set<() => void>();
  #next = 0;

  constructor() {
    this.isPlaying = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    const tick = () => {
      this.#tick();
      this.#next = requestAnimationFrame(tick);
    };
    tick();
  }

  follow(moved: () => void): () => void {
    this.#listeners.add(moved);
    return () => this.#listeners.delete(moved);
  }

  /** What is on the stage now. */
  measure(all: readonly (MediaFacts | undefined)[]): void {
    const [longest] = all
      .flatMap(facts => (facts?.duration ? [facts] : []))
      .sort((one, other) => (other.duration ?? 0) - (one.duration ?? 0));
    this.fps = longest?.fps || USUAL_FPS;
    this.frames = Math.max(1, Math.round((longest?.duration ?? 0) * this.fps));
    this.#notify();
  }

  /** @returns what takes it away again. */
  add(player: HTMLMediaElement, facts: MediaFacts): () => void {
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

  /** Ends the clock. */
  end(): void {
    cancelAnimationFrame(this.#next);
  }

  play(): void {
    this.isPlaying = true;
    if (this.frame >= this.frames - 1) this.#move(0);
    this.#playAll();
    this.#notify();
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

  #playAll(): void {
    for (const player of this.#players.keys()) player.play().catch(() => {});
  }

  #move(frame: number): void {
    this.frame = frame;
    for (const player of this.#players.keys()) if (player.readyState > 0) player.currentTime = this.#timeIn(player);
    this.#notify();
  }

  /** The middle of the frame: at its edge, rounding would decide which one is shown. */
  #timeIn(player: HTMLMediaElement): number {
    const time = (this.frame + 0.5) / this.fps;
    const length = this.#players.get(player) || Number.POSITIVE_INFINITY;
    return Math.max(0, Math.min(time, length - 0.5 / this.fps));
  }

  #tick(): void {
    if (!this.isPlaying || this.#players.size === 0) return;
    const [[lead]] = [...this.#players].sort(([, a], [, b]) => b - a) as [[HTMLMediaElement, number]];
    if (lead.readyState < 2 || lead.seeking) return;
    const isOver = lead.ended || lead.currentTime >= (this.frames - 0.5) / this.fps;
    if (isOver) {
      this.#move(0);
      this.#playAll();
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
    this.#notify();
  }

  #notify(): void {
    for (const moved of this.#listeners) moved();
  }
}

export interface Screen {
  /** What a player is laid over. */
  readonly over: HTMLElement;
  readonly src: string;
  readonly facts: MediaFacts;
}

/** Players that run at once. */
export const MAX_PLAYERS = 6;
/** Milliseconds from coming to a picture until it plays, and from leaving until it stops. */
const BEFORE = 140;
const AFTER = 120;

/** Players name their group: the same name is the same group. */
export class InStep {
  #playing: string | null = null;
  #isHeld = false;
  #clock: FrameClock | undefined;
  #laid: readonly HTMLElement[] = [];
  #soon: ReturnType<typeof setTimeout> | undefined;

  /** A pointer came to one of them. */
  look(group: string, screens: () => readonly Screen[]): void {
    clearTimeout(this.#soon);
    if (this.#playing === group || this.#isHeld) return;
    this.#soon = setTimeout(() => this.#begin(group, screens()), BEFORE);
  }

  /** It left. */
  lookAway(group: string): void {
    clearTimeout(this.#soon);
    if (this.#isHeld) return;
    this.#soon = setTimeout(() => {
      if (this.#playing === group) this.stop();
    }, AFTER);
  }

  /** By a key: they play until the same key stops them. */
  toggle(group: string, screens: () => readonly Screen[]): void {
    if (this.#playing === group) {
      this.stop();
      return;
    }
    this.#begin(group, screens());
    this.#isHeld = true;
  }

  stop(): void {
    clearTimeout(this.#soon);
    this.#clock?.end();
    for (const element of this.#laid) {
      if (element instanceof HTMLVideoElement) {
        element.removeAttribute('src');
        // What it had loaded is given back now, not when the page is next tidied.
        element.load();
      }
      element.remove();
    }
    this.#laid = [];
    this.#playing = null;
    this.#isHeld = false;
  }

  #begin(group: string, all: readonly Screen[]): void {
    this.stop();
    this.#playing = group;
    const screens = all.slice(0, MAX_PLAYERS);
    const clock = new FrameClock();
    this.#clock = clock;
    clock.measure(screens.map(({ facts }) => facts));
    this.#laid = screens.flatMap(screen => laidOver(screen, clock));
    clock.play();
  }
}

/** A player, and a bar of how far it is. */
function laidOver({ over, src, facts }: Screen, clock: FrameClock): readonly HTMLElement[] {
  const video = html('video.whole', {
    ...{ 'aria-hidden': 'true', tabindex: -1, playsinline: true },
    // The still stays where nothing can be played.
    onplaying: () => video.classList.add('on'),
  });
  // Set as a property: an attribute that is set after creation does not silence it.
  video.muted = true;
  video.src = src;
  const bar = html('i');
  clock.add(video, facts);
  clock.follow(() => {
    bar.style.transform = `scaleX(${video.currentTime / (video.duration || 1)})`;
  });
  over.append(video, bar);
  return [video, bar];
}
