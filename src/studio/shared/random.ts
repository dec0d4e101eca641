/**
 * Where every choice of the studio comes from: a text → a stream of numbers, the same on every machine.
 * sfc32 seeded by a 32-bit hash; no `Math.random` anywhere in this folder, or the same request would not give the same picture.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #count = 1;

  constructor(seed: string) {
    this.#a = hash(`${seed}|a`);
    this.#b = hash(`${seed}|b`);
    this.#c = hash(`${seed}|c`);
    for (let i = 0; i < 12; i++) this.next();
  }

  /** 0 ≤ n < 1. */
  next(): number {
    const t = (((this.#a + this.#b) | 0) + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (this.#c << 21) | (this.#c >>> 11);
    this.#c = (this.#c + t) | 0;
    return (t >>> 0) / 4294967296;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** Both ends included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[Math.floor(this.next() * list.length)] ?? list[0];
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  sign(): 1 | -1 {
    return this.next() < 0.5 ? -1 : 1;
  }

  /** Around 0, mostly within ±1: the sum of four throws, near enough to a bell. */
  spread(): number {
    return this.next() + this.next() + this.next() + this.next() - 2;
  }
}

export function hash(text: string): number {
  let h = 1779033703 ^ text.length;
  for (let i = 0; i < text.length; i++) {
    h = Math.imul(h ^ text.charCodeAt(i), 3432918353);
    h = (h << 13) | (h >>> 19);
  }
  h = Math.imul(h ^ (h >>> 16), 2246822507);
  h = Math.imul(h ^ (h >>> 13), 3266489909);
  return (h ^ (h >>> 16)) >>> 0;
}

const TABLE = 4096;

/** Value noise, smooth between lattice points, 0 to 1. `ridge` and `cloud` sum octaves of it. */
export class Noise {
  #values = new Float32Array(TABLE);
  #shuffle = new Uint16Array(TABLE * 2);

  constructor(seed: string) {
    const random = new Random(seed);
    for (let i = 0; i < TABLE; i++) this.#values[i] = random.next();
    const order = Uint16Array.from({ length: TABLE }, (_, i) => i);
    for (let i = TABLE - 1; i > 0; i--) {
      const j = random.whole(0, i);
      const kept = order[i] ?? 0;
      order[i] = order[j] ?? 0;
      order[j] = kept;
    }
    for (let i = 0; i < TABLE * 2; i++) this.#shuffle[i] = order[i % TABLE] ?? 0;
  }

  line(x: number): number {
    const cell = Math.floor(x);
    return mixNumber(this.#at(cell, 0), this.#at(cell + 1, 0), smooth(x - cell));
  }

  plane(x: number, y: number): number {
    const column = Math.floor(x);
    const row = Math.floor(y);
    const u = smooth(x - column);
    const v = smooth(y - row);
    const above = mixNumber(this.#at(column, row), this.#at(column + 1, row), u);
    const below = mixNumber(this.#at(column, row + 1), this.#at(column + 1, row + 1), u);
    return mixNumber(above, below, v);
  }

  /** A mountain's outline. */
  ridge(x: number, octaves = 5, roughness = 0.5): number {
    let sum = 0;
    let total = 0;
    let weight = 0.5;
    for (let i = 0; i < octaves; i++) {
      sum += weight * this.line(x + i * 17.3);
      total += weight;
      x *= 2.03;
      weight *= roughness;
    }
    return sum / total;
  }

  cloud(x: number, y: number, octaves = 5): number {
    let sum = 0;
    let total = 0;
    let weight = 0.5;
    for (let i = 0; i < octaves; i++) {
      sum += weight * this.plane(x + i * 13.7, y + i * 7.1);
      total += weight;
      x *= 2.02;
      y *= 2.02;
      weight *= 0.5;
    }
    return sum / total;
  }

  #at(x: number, y: number): number {
    const row = this.#shuffle[x & (TABLE - 1)] ?? 0;
    return this.#values[this.#shuffle[row + (y & (TABLE - 1))] ?? 0] ?? 0;
  }
}

export const clamp = (value: number, low = 0, high = 1): number => Math.min(high, Math.max(low, value));
export const mixNumber = (from: number, to: number, t: number): number => from + (to - from) * t;
/** 0 to 1 with rest at both ends. */
export const smooth = (t: number): number => {
  const k = clamp(t);
  return k * k * (3 - 2 * k);
};
