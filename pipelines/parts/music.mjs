#!/usr/bin/env node
// A quiet bed of music in ./bed.wav, for films whose models make none: music.mjs SECONDS [calm|bright]
// Four chords over soft strings, with a bell that plays through them. The same arguments are the same bytes.
import { writeFileSync } from 'node:fs';

const [seconds, mood = 'calm'] = process.argv.slice(2);
const RATE = 48_000;
const CHORD = 4; // seconds
// Semitones above the A below middle C.
const CHORDS = {
  calm: [
    [0, 7, 12, 15],
    [-4, 8, 12, 15],
    [3, 7, 10, 15],
    [-2, 5, 10, 14],
  ],
  bright: [
    [3, 10, 15, 19],
    [-2, 10, 14, 17],
    [0, 7, 12, 15],
    [-4, 8, 12, 15],
  ],
}[mood];
const length = Math.round(Number(seconds) * RATE);
if (!CHORDS || !(length > 0))
  throw new Error(`music.mjs SECONDS [calm|bright]: not ${process.argv.slice(2).join(' ')}`);

const [left, right] = [new Float32Array(length), new Float32Array(length)];
const pitch = semitones => 220 * 2 ** (semitones / 12);

/** Adds a note of a few partials, each as loud as `partials` says, with the shape that `loud` gives over its seconds. */
function play(from, until, hertz, partials, pan, loud) {
  const heard = partials.flatMap((level, n) => (level === 0 ? [] : [{ level, turn: 2 * Math.PI * hertz * (n + 1) }]));
  for (let at = Math.max(0, Math.round(from * RATE)); at < Math.min(length, Math.round(until * RATE)); at++) {
    const time = at / RATE - from;
    let wave = 0;
    for (let n = 0; n < heard.length; n++) wave += heard[n].level * Math.sin(heard[n].turn * time);
    wave *= loud(time);
    left[at] += wave * (1 - pan);
    right[at] += wave * pan;
  }
}

const swell = time => Math.min(1, time / 1.6, Math.max(0, (CHORD + 1.5 - time) / 1.5));
const ring = time => Math.min(1, time * 120) * Math.exp(-time * 2.2);
for (let n = 0; n * CHORD * RATE < length; n++) {
  const chord = CHORDS[n % CHORDS.length];
  const from = n * CHORD;
  // Two strings a voice, a breath apart in pitch: they move against each other.
  for (const [voice, note] of chord.entries())
    for (const side of [-1, 1])
      play(
        from,
        from + CHORD + 1.5,
        pitch(note - 12) * (1 + side * 0.0014),
        [0.06, 0.03, 0.016, 0.008],
        0.5 + side * (0.1 + voice * 0.08),
        swell,
      );
  play(from, from + CHORD + 1.5, pitch(chord[0] - 24), [0.1, 0.02], 0.5, swell);
  if (n > 0)
    for (const [beat, voice] of [1, 2, 3, 2, 3, 1].entries())
      play(
        from + beat * (CHORD / 6),
        from + CHORD + 1.5,
        pitch(chord[voice] + 12),
        [0.05, 0, 0.012, 0.006],
        0.35 + 0.3 * (beat % 2),
        ring,
      );
}

const wav = Buffer.alloc(44 + length * 4);
wav.write('RIFF', 0);
wav.writeUInt32LE(36 + length * 4, 4);
wav.write('WAVEfmt ', 8);
for (const [at, value, size] of [
  [16, 16, 4],
  [20, 1, 2],
  [22, 2, 2],
  [24, RATE, 4],
  [28, RATE * 4, 4],
  [32, 4, 2],
  [34, 16, 2],
])
  wav.writeUIntLE(value, at, size);
wav.write('data', 36);
wav.writeUInt32LE(length * 4, 40);
for (let at = 0; at < length; at++) {
  wav.writeInt16LE(Math.round(Math.tanh(left[at]) * 32_000), 44 + at * 4);
  wav.writeInt16LE(Math.round(Math.tanh(right[at]) * 32_000), 46 + at * 4);
}
writeFileSync('bed.wav', wav);
