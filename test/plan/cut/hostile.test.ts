/** Whatever an expression gives in the place of an option, it is a sentence for the author, and never an exception. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { InstanceKey } from '../../../src/model/run/key.ts';
import type { CommandResult } from '../../../src/model/run/result.ts';
import type { Json, JsonObject } from '../../../src/model/text/json.ts';
import { resolve } from '../../../src/plan/values/resolve.ts';
import { contextOf, planOf, type World } from '../support.ts';

const facts = { kind: 'video', width: 640, height: 360, duration: 4, fps: 24, audio_codec: 'aac' } as const;
const world: World = {
  files: {
    'a.mp4': { sha256: 'a', url: 'file:///a.mp4', facts },
    'b.mp3': { sha256: 'b', url: 'file:///b.mp3', facts: { kind: 'audio', duration: 3 } },
  },
};

const CLIP = [
  'in',
  'out',
  'for',
  'speed',
  'fade_in',
  'fade_out',
  'join',
  'voice',
  'subtitles',
  'over',
  'fit',
  'sound',
  'level',
  'from',
];
const FILM = ['join', 'music', 'over', 'subtitles', 'loudness', 'size', 'fps', 'fit', 'codec'];
const GIVEN = '"${{ steps.talk.json.v }}"';

/** The film with something that a command has said in the place of one option. */
function filmWith(where: 'clip' | 'film', option: string): string {
  const value = option === 'over' ? `{ text: ${GIVEN}, at: ${GIVEN}, in: ${GIVEN}, for: ${GIVEN} }` : GIVEN;
  const clip = {
    from: 'a.mp4',
    ...(option === 'subtitles' && { voice: 'b.mp3' }),
    ...(where === 'clip' && { [option]: value }),
  };
  const entries = Object.entries(clip).map(([name, one]) => `${name}: ${one}`);
  const line = where === 'film' ? `\n      ${option}: ${value}` : '';
  return `
steps:
  talk: { run: [./talk.sh] }
  film:
    cut:
      clips: [ a.mp4, { ${entries.join(', ')} } ]${line}
`;
}

const said = (v: Json): CommandResult => ({ is: 'command', stdout: '', json: { v } as JsonObject, files: {} });

const value: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    false,
    '',
    '2s',
    'off',
    'cut',
    'voice',
    'b.mp3',
    'a.mp4',
    '1920x1080',
    'https://x.test/a',
    -1,
    0,
    1e308,
  ),
  fc.constantFrom<Json>(
    [],
    {},
    { dissolve: '1s' },
    { dissolve: {} },
    { file: 3 },
    { file: 'a.mp4' },
    { segments: [{}] },
    { words: [null] },
  ),
  fc.jsonValue() as fc.Arbitrary<Json>,
);

const INNER_SHAPE = /undefined|NaN|\[object/;

for (const [where, options] of [
  ['clip', CLIP],
  ['film', FILM],
] as const)
  test.each(options)(`\`%s\` of a ${where}`, option => {
    const plan = planOf(filmWith(where, option), world);
    const film = plan.instances.get('film' as InstanceKey)!;
    fc.assert(
      fc.property(value, given => {
        const work = resolve(plan, film, () => said(given), contextOf(world));
        expect(['cut', 'invalid']).toContain(work.is);
        // A message quotes what was given, which may say so by itself.
        if (work.is === 'invalid' && !INNER_SHAPE.test(JSON.stringify(given)))
          for (const { message } of work.problems) expect(message).not.toMatch(INNER_SHAPE);
        if (work.is === 'cut' && work.cut) {
          const { shots, frames } = work.cut;
          expect(Number.isInteger(frames) && frames > 0).toBe(true);
          expect(
            shots.every(({ at, frames: length }) => Number.isInteger(at) && Number.isInteger(length) && length > 0),
          ).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });
