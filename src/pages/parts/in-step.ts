/** Takes played in step, on one clock: six players at most, and none that is not looked at. */
import { html } from './element.ts';

export interface Screen {
  /** What a player is laid over. */
  readonly over: HTMLElement;
  readonly src: string;
}

interface Player {
  readonly video: HTMLVideoElement;
  readonly bar: HTMLElement;
}

const MOST_PLAYERS = 6;
/** Seconds by which a take may differ from the first before it is moved. */
const SLACK = 0.06;
/** Milliseconds that are waited for a take that does not come, and from coming to a picture until it plays, and from leaving until it stops. */
const PATIENCE = 600;
const BEFORE = 140;
const AFTER = 120;

/** A group is named by whoever plays it: the same name is the same group. */
export class InStep {
  #playing: string | null = null;
  #isHeld = false;
  #players: Player[] = [];
  #soon: ReturnType<typeof setTimeout> | undefined;
  #frame = 0;

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
    cancelAnimationFrame(this.#frame);
    for (const { video, bar } of this.#players) {
      video.pause();
      video.removeAttribute('src');
      // What it had loaded is given back now, not when the page is next tidied.
      video.load();
      video.remove();
      bar.remove();
    }
    this.#players = [];
    this.#playing = null;
    this.#isHeld = false;
  }

  #begin(group: string, screens: readonly Screen[]): void {
    this.stop();
    this.#playing = group;
    this.#players = screens.slice(0, MOST_PLAYERS).map(laidOver);
    const players = this.#players;
    void Promise.all(players.map(({ video }) => ready(video))).then(() => {
      if (this.#players !== players) return;
      for (const { video } of players) video.play().catch(() => {});
      this.#keepInStep();
    });
  }

  #keepInStep(): void {
    const lead = this.#players[0];
    if (!lead) return;
    for (const player of this.#players) {
      const { video, bar } = player;
      const isOff = Math.abs(video.currentTime - lead.video.currentTime) > SLACK;
      if (player !== lead && video.readyState > 1 && isOff) video.currentTime = lead.video.currentTime;
      bar.style.transform = `scaleX(${video.currentTime / (video.duration || 1)})`;
    }
    this.#frame = requestAnimationFrame(() => this.#keepInStep());
  }
}

function laidOver({ over, src }: Screen): Player {
  const video = html('video', { 'aria-hidden': 'true', tabindex: -1, playsinline: true, loop: true });
  // Set as a property: an attribute that is set after creation does not silence it.
  video.muted = true;
  video.src = src;
  // The still stays where nothing can be played.
  video.addEventListener('playing', () => video.classList.add('on'));
  const bar = html('i');
  over.append(video, bar);
  return { video, bar };
}

const ready = (video: HTMLVideoElement): Promise<void> =>
  new Promise(done => {
    video.addEventListener('canplay', () => done(), { once: true });
    setTimeout(done, PATIENCE);
  });
