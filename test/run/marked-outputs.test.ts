/** What an output says of itself: true to the graph, whoever made its parts, and never a change of what is stored. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lostCredentials } from '../../src/plan/check.ts';
import { formatPlan } from '../../src/show/plan/plan-text.ts';
import { quickCut, ran, rig, type StartedRun, withQuickRig } from './rig.ts';

withQuickRig(() => {
  rig.facts = { kind: 'video', format: 'mp4', width: 1280, height: 720, duration: 5, fps: 24, audio_codec: null };
  rig.fileAt = (url, path) => writeFileSync(path, mp4(url));
  rig.renderCut = async order => {
    const outcome = await quickCut(order);
    writeFileSync(order.to, mp4(readFileSync(order.to, 'utf8')));
    return outcome;
  };
  const intro = { kind: 'video', format: 'mp4', width: 1280, height: 720, duration: 9, fps: 24 } as const;
  const path = join(rig.folder, 'own.mp4');
  writeFileSync(path, mp4('my own'));
  rig.files = {
    'media/own.mp4': {
      url: `file://${path}`,
      sha256: 'a'.repeat(64),
      bytes: 9,
      facts: { ...intro, audio_codec: null },
    },
  };
});

/** As much of a film as its container asks for. */
function mp4(text: string): Buffer {
  const box = (type: string, body: string) => {
    const head = Buffer.alloc(4);
    head.writeUInt32BE(8 + Buffer.byteLength(body));
    return Buffer.concat([head, Buffer.from(type + body)]);
  };
  return Buffer.concat([box('ftyp', 'isom'), box('mdat', text)]);
}

const film = (steps: string, outputs: string) => `steps:\n${steps}outputs:\n${outputs}`;
const out = (...names: readonly string[]) =>
  names.map(name => `  ${name}: { from: "\${{ steps.${name} }}", to: out/${name}.mp4 }\n`).join('');
const run = async (text: string, service?: string): Promise<StartedRun> => {
  const { film: started } = await ran(text, {}, service);
  return started;
};
const marks = ({ events }: StartedRun) =>
  Object.fromEntries(
    events.flatMap(event => (event.type === 'output_written' ? [[event.output, event.marked ?? '']] : [])),
  );

const STEPS = `  shot: { model: V-T2V-A, with: { prompt: a fox, duration: 5 } }
  again: { model: V-UP, with: { input_video: "\${{ steps.shot.result_url }}" } }
  mended: { model: V-UP, with: { input_video: media/own.mp4 } }
  reel: { cut: { clips: [ "\${{ steps.shot }}", "\${{ steps.again }}" ] } }
  mixed: { cut: { clips: [ "\${{ steps.shot }}", media/own.mp4 ] } }
  edits: { cut: { clips: [ "\${{ steps.mended }}" ] } }
  own: { cut: { clips: [ media/own.mp4 ] } }
  copy:
    run: cp "$shot" copy.mp4
    files: { shot: "\${{ steps.shot.file }}" }
    creates: { film: copy.mp4 }
`;
const ALL = film(
  STEPS,
  `${out('shot', 'again', 'mended', 'reel', 'mixed', 'edits', 'own')}  copy: { from: "\${{ steps.copy.files.film }}", to: out/copy.mp4 }\n`,
);

test('what a model made, an author’s footage that it edited, and cuts of both are told apart through the graph', async () => {
  expect(marks(await run(ALL))).toEqual({
    ...{ shot: 'trainedAlgorithmicMedia', again: 'trainedAlgorithmicMedia', reel: 'trainedAlgorithmicMedia' },
    ...{ mended: 'compositeWithTrainedAlgorithmicMedia', edits: 'compositeWithTrainedAlgorithmicMedia' },
    ...{ mixed: 'compositeSynthetic', own: '', copy: 'trainedAlgorithmicMedia' },
  });
});

test('what the studio drew is no work of a trained model', async () => {
  expect(marks(await run(ALL, 'studio'))).toEqual({
    ...{ shot: 'algorithmicMedia', again: 'algorithmicMedia', reel: 'algorithmicMedia', copy: 'algorithmicMedia' },
    ...{ mended: 'compositeSynthetic', edits: 'compositeSynthetic', mixed: 'compositeSynthetic', own: '' },
  });
});

const ONE = film('  shot: { model: V-T2V-A, with: { prompt: a fox, duration: 5 } }\n', out('shot'));

test('a rerun writes nothing, the stored result stays as it came, and the next film replaces the marked one', async () => {
  const first = await run(ONE);
  const place = join(rig.folder, 'out/shot.mp4');
  const { ino } = statSync(place);
  const placed = readFileSync(place, 'utf8');
  expect(placed).toContain('digitalsourcetype/trainedAlgorithmicMedia');
  const [made] = first.events.flatMap(event =>
    event.type === 'succeeded' && event.result.is === 'media' ? [event.result] : [],
  );
  expect(made!.bytes).toBe(mp4(made!.result_url).length);
  expect(placed.startsWith(mp4(made!.result_url).toString())).toBe(true);
  expect(marks(await run(ONE))).toEqual({ shot: 'trainedAlgorithmicMedia' });
  expect(statSync(place).ino).toBe(ino);
  const next = await run(ONE.replace('a fox', 'an owl'));
  expect(next.events.flatMap(event => (event.type === 'output_written' ? [event.note] : []))).toEqual([undefined]);
  expect(readFileSync(place, 'utf8')).not.toBe(placed);
  // What a person changed in it is kept beside.
  writeFileSync(place, `${readFileSync(place, 'utf8')} graded`);
  const later = await run(ONE);
  expect(later.events.flatMap(event => (event.type === 'output_written' ? [event.note] : []))).toEqual([
    'what had its name was not written by shotlist, and is kept beside it as shot.before-shotlist.mp4',
  ]);
});

test('marking: none leaves the file as the result is, and plan and run say so', async () => {
  const started = await run(ONE.replace('out/shot.mp4 }', 'out/shot.mp4, marking: none }'));
  expect(marks(started)).toEqual({ shot: 'none' });
  expect(readFileSync(join(rig.folder, 'out/shot.mp4'), 'utf8')).not.toContain('digitalsourcetype');
  expect(formatPlan(started.plan, { width: 100 })).toContain('out/shot.mp4 ← shot, not marked as synthetic');
  // Without it again, the same file is marked.
  expect(marks(await run(ONE))).toEqual({ shot: 'trainedAlgorithmicMedia' });
  expect(readFileSync(join(rig.folder, 'out/shot.mp4'), 'utf8')).toContain('digitalsourcetype');
});

test('a film of ours that is footage of the next one stays synthetic', async () => {
  const path = 'media/own.mp4';
  const { facts, ...file } = rig.files[path]!;
  rig.files = { [path]: { ...file, facts: { ...facts!, source_type: 'trainedAlgorithmicMedia' } } };
  expect(marks(await run(ALL))).toMatchObject({ own: 'trainedAlgorithmicMedia', mixed: 'trainedAlgorithmicMedia' });
});

test('a cut of what carries Content Credentials is warned of once that is known', async () => {
  rig.facts = { ...rig.facts, c2pa: true };
  const text = film(
    `  shot: { model: V-T2V-A, with: { prompt: a fox, duration: 5 } }\n  reel: { cut: { clips: [ "\${{ steps.shot }}" ] } }\n`,
    out('reel'),
  );
  expect(lostCredentials((await run(text)).plan)).toEqual([]);
  expect(
    lostCredentials((await run(text)).plan).map(({ message, source, span }) => [
      message,
      source.text.slice(span.start, span.end),
    ]),
  ).toEqual([
    [
      '`reel` is encoded anew from `shot`, which carries Content Credentials (C2PA): its film has none of them; save `shot` as well where they must be handed on',
      'reel',
    ],
  ]);
});
