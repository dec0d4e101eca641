import { describe, expect, test } from 'vitest';
import { loudness } from '../../../src/studio/animatic/sound/loudness.ts';
import {
  envelope,
  fittedToLength,
  RATE,
  type SoundShot,
  soundBed,
} from '../../../src/studio/animatic/sound/sound-bed.ts';

const SHOTS: readonly SoundShot[] = [
  { start: 0, end: 1.5, time: 'dawn', place: 'river', weather: ['snow'], mood: 'calm' },
  { start: 1.5, end: 3, time: 'dawn', place: 'coast', weather: ['rain'], mood: 'calm' },
];
const tone = (seconds: number, level: number) => {
  const channel = Float32Array.from(
    { length: seconds * RATE },
    (_, i) => level * Math.sin((2 * Math.PI * 997 * i) / RATE),
  );
  return { left: channel, right: channel };
};
const MOODS = ['calm', 'tense', 'joyful', 'sad', 'epic'] as const;
const peak = (channel: Float32Array) => channel.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);

describe('loudness', () => {
  test('of a full-scale 997 Hz tone on both sides is 0 LUFS (−3.01 each, BS.1770)', () => {
    expect(loudness(tone(3, 1))).toBeCloseTo(0, 1);
    expect(loudness(tone(3, 0.1))).toBeCloseTo(-20, 1);
  });
});

describe('the bed', () => {
  const made = soundBed({ duration: 3, shots: SHOTS, seed: '11' });
  test('is as long as the film, to the sample', () =>
    expect([made.left.length, made.right.length]).toEqual([3 * RATE, 3 * RATE]));
  test('begins and ends in silence, and never clips', () => {
    expect([made.left[0], made.right.at(-1)].map(sample => Math.abs(sample ?? 1) < 1e-3)).toEqual([true, true]);
    expect(Math.max(peak(made.left), peak(made.right))).toBeLessThan(0.9);
  });
  test.each([0.4, 2, 5])('of %d s is −16 LUFS', duration => {
    const [shot] = SHOTS;
    for (const mood of MOODS) {
      const heard = soundBed({ duration, shots: [{ ...shot!, start: 0, end: duration, mood }], seed: '3' });
      expect(Math.abs(loudness(heard) + 16)).toBeLessThan(0.5);
    }
  });
  test('has no click, at its cut or elsewhere; one that is put in is found', () => {
    expect([clicks(made.left), clicks(made.right)]).toEqual([[], []]);
    const calm = soundBed({
      duration: 3,
      shots: [{ ...SHOTS[0]!, end: 3, place: 'interior', weather: [] }],
      seed: '11',
    });
    const [dropped, stepped] = [calm.left.slice(), calm.left.slice()];
    dropped.fill(0, 2 * RATE, 2 * RATE + 40);
    for (let i = 1.5 * RATE; i < stepped.length; i++) stepped[i]! += 0.05;
    expect([clicks(calm.left), clicks(dropped)[0], clicks(stepped)[0]]).toEqual([
      [],
      expect.closeTo(2, 2),
      expect.closeTo(1.5, 2),
    ]);
  });
  test('of a loop leads from its end into its beginning', () => {
    const loop = soundBed({ duration: 5, shots: [{ ...SHOTS[0]!, end: 5 }], seed: '11', loop: true });
    const twice = Float32Array.from([...loop.left.subarray(-RATE), ...loop.left.subarray(0, RATE)]);
    expect(clicks(twice)).toEqual([]);
    expect(loudness({ left: loop.left.subarray(-RATE), right: loop.right.subarray(-RATE) })).toBeGreaterThan(-24);
  });
  test('is the same for the same seed, another for another', () => {
    expect(soundBed({ duration: 3, shots: SHOTS, seed: '11' })).toEqual(made);
    expect(soundBed({ duration: 3, shots: SHOTS, seed: '12' }).left).not.toEqual(made.left);
  });
});

describe('each mood has a sound of its own', () => {
  const made: { [bed: string]: Float32Array } = {};
  const of = (mood: SoundShot['mood'], seed: string) => {
    const shots = [{ start: 0, end: 4, time: 'day', place: 'interior', weather: [], mood }] as const;
    made[`${mood} ${seed}`] ??= soundBed({ duration: 4, shots, seed }).left;
    return made[`${mood} ${seed}`]!;
  };
  test.each(['1', '2'])('epic and tense are heavy, joyful is light (seed %s)', seed => {
    const [epic, tense, calm, joyful] = (['epic', 'tense', 'calm', 'joyful'] as const).map(mood =>
      below(110, of(mood, seed)),
    );
    expect(epic!).toBeGreaterThan(tense! * 1.15);
    expect(tense!).toBeGreaterThan(calm! * 1.15);
    expect(calm!).toBeGreaterThan(joyful! * 1.15);
  });
  test.each(['1', '2'])('at noon joyful is in major, sad and tense are in minor (seed %s)', seed => {
    const third = (mood: SoundShot['mood']) => {
      const bar = of(mood, seed).subarray(RATE / 2, 2 * RATE);
      const notes = Array.from({ length: 8 }, (_, i) => 31 + i);
      const root = notes.reduce((best, note) => (tones(bar, note) > tones(bar, best) ? note : best));
      return tones(bar, root + 24 + 4) > tones(bar, root + 24 + 3) ? 'major' : 'minor';
    };
    expect((['joyful', 'sad', 'tense'] as const).map(third)).toEqual(['major', 'minor', 'minor']);
  });
});

test('the envelope follows the sound: 0 to 1', () => {
  const quietThenLoud = fittedToLength(
    {
      left: Float32Array.from([...new Float32Array(RATE), ...tone(1, 0.5).left]),
      right: Float32Array.from([...new Float32Array(RATE), ...tone(1, 0.5).right]),
    },
    2,
  );
  expect([...envelope(quietThenLoud, 4)].map(level => Math.round(level * 10) / 10)).toEqual([0, 0, 1, 1]);
});

test('driving audio is cut or filled to the film', () => {
  expect(fittedToLength(tone(3, 0.5), 2).left.length).toBe(2 * RATE);
  const filled = fittedToLength(tone(1, 0.5), 2);
  expect([filled.left.length, filled.left[RATE + 5]]).toEqual([2 * RATE, 0]);
});

/** Seconds at which the sound jumps as it does nowhere around: the second difference against that of the 10 ms about it. */
function clicks(channel: Float32Array): number[] {
  const bends = channel.map((sample, i) => sample - 2 * (channel[i - 1] ?? sample) + (channel[i - 2] ?? sample));
  const found: number[] = [];
  const reach = 240;
  let sum = 0;
  for (let i = 0; i < bends.length + reach; i++) {
    sum += (bends[i] ?? 0) ** 2 - (bends[i - 2 * reach] ?? 0) ** 2;
    const at = i - reach;
    if (at < 0) continue;
    const own = (bends[at - 1] ?? 0) ** 2 + (bends[at] ?? 0) ** 2 + (bends[at + 1] ?? 0) ** 2;
    const usual = Math.sqrt(Math.max(0, sum - own) / (2 * reach)) + 1e-4;
    if (Math.abs(bends[at] ?? 0) > 6 * usual) found.push(at / RATE);
  }
  return found;
}

/** The part of the sound's energy below a pitch. */
function below(hertz: number, channel: Float32Array): number {
  const open = 1 - Math.exp((-2 * Math.PI * hertz) / RATE);
  let [once, twice, low, all] = [0, 0, 0, 0];
  for (const sample of channel) {
    once += (sample - once) * open;
    twice += (once - twice) * open;
    low += twice * twice;
    all += sample * sample;
  }
  return low / all;
}

/** How much of a note there is (Goertzel). 69 is 440 Hz. */
function tones(channel: Float32Array, note: number): number {
  const step = (2 * Math.PI * 440 * 2 ** ((note - 69) / 12)) / RATE;
  let [re, im] = [0, 0];
  channel.forEach((sample, i) => {
    re += sample * Math.cos(step * i);
    im += sample * Math.sin(step * i);
  });
  return Math.hypot(re, im);
}
