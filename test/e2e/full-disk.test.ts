import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acceptedBy } from '../chaos/audit.ts';
import { mayMount, mount, remount, unmount } from './small-disk.ts';
import { Stage, type StudioProcess } from './stage.ts';

const INSTANCES = 20;
/** Long enough that twenty of them need more than the smallest disks have. */
const FILM = `shotlist: 1
name: full
steps:
  still:
    model: I-GEN-A
    matrix: { shot: [${Array.from({ length: INSTANCES }, (_, at) => at + 1).join(', ')}] }
    with:
      prompt: "shot \${{ matrix.shot }}: ${'a red fox crosses a frozen river at dawn, '.repeat(30)}"
      num_inference_steps: 1
      output_format: png
outputs:
  stills: { from: "\${{ steps.still }}", to: "out/{shot}.png" }
`;

describe.skipIf(!mayMount)(`a project on a small disk${mayMount ? '' : ' (only who may mount one can try)'}`, () => {
  let stage: Stage;
  let studio: StudioProcess;
  beforeEach(async () => {
    stage = new Stage();
    studio = await stage.studio();
    stage.trust(studio, { SHOTLIST_IN_FLIGHT: String(INSTANCES), SHOTLIST_PER_MODEL: String(INSTANCES) });
  });
  afterEach(() => {
    unmount(stage.project);
    stage.dispose();
  });

  const onDiskOf = (size: string) => {
    expect(mount(stage.project, `size=${size}`)).toBe(true);
    stage.write('film.yaml', FILM);
    mkdirSync(join(stage.project, '.shotlist'));
  };
  const run = () => stage.run('run', 'film.yaml', '--ui', 'plain');
  const accepted = () => acceptedBy(join(stage.folder, 'studio'));

  test.each(['120k', '200k', '300k', '500k', '1m'])('%s of it: no id is lost, and the next run goes on', async size => {
    onDiskOf(size);
    const full = await run();
    const written = journalText(stage.project);
    const lost = accepted().filter(({ id }) => !written.includes(id) && !full.stderr.includes(id));
    expect(lost, full.stderr).toEqual([]);
    expect(full.signal).toBe(null);
    expect(full.stderr).toMatch(/disk is full.*(free|make room)/s);
    expect(full.stderr).not.toMatch(/\n\s+at /);
    // 2 where there was no room even for the journal: then nothing was sent.
    expect(full.exit, full.stderr).toBe(accepted().length === 0 ? 2 : 1);

    expect(remount(stage.project, 'size=64m')).toBe(true);
    const roomy = await run();
    expect(roomy.exit, `${full.stderr}\n${roomy.stderr}`).toBe(0);
    const prompts = accepted().map(({ prompt }) => prompt);
    expect(prompts).toHaveLength(INSTANCES);
    expect(new Set(prompts).size).toBe(INSTANCES);
  });

  test.each([
    ['before anything was there', false],
    ['after a run', true],
  ])('read-only, %s: found before anything is sent, and never answered with paying again', async (_when, hasRun) => {
    onDiskOf('64m');
    if (hasRun) expect((await run()).exit).toBe(0);
    const before = accepted().length;
    // Something to send.
    stage.write('film.yaml', FILM.replaceAll('fox', 'hare'));
    expect(remount(stage.project, 'ro')).toBe(true);
    const { exit, stderr } = await run();
    expect(exit, stderr).toBe(2);
    expect(accepted()).toHaveLength(before);
    expect(stderr).toMatch(/read-only|only be read|cannot be written/);
    expect(stderr).not.toMatch(/move it away|pay again|\n\s+at /);
  });
});

/** Everything in the journal that a next run would find, as text. */
function journalText(project: string): string {
  const path = join(project, '.shotlist/journal.db');
  if (!existsSync(path)) return '';
  const folder = mkdtempSync(join(tmpdir(), 'shotlist-journal-'));
  try {
    for (const end of ['', '-wal'])
      if (existsSync(path + end)) copyFileSync(path + end, join(folder, `journal.db${end}`));
    return ['', '-wal']
      .map(end => join(folder, `journal.db${end}`))
      .filter(existsSync)
      .map(file => readFileSync(file, 'latin1'))
      .join('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
