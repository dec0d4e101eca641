/**
 * A real disk that is full or read-only, and a whole process on it. `test/run/full-disk.test.ts` fills it up at each write of a run.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acceptedBy } from '../chaos/audit.ts';
import { isMissing } from '../support/needs.ts';
import { type ReadyStudio, readyStudio } from '../support/ready-studio.ts';
import { mount, remount, unmount } from '../support/small-disk.ts';
import { ends } from './ended.ts';
import { Stage } from './stage.ts';

const INSTANCES = 8;
/** Long enough that eight of them need more than the smaller disks have. */
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

describe.skipIf(isMissing('the right to mount a disk'))('a project on a small disk', () => {
  let stage: Stage;
  let studio: ReadyStudio;
  beforeEach(async () => {
    stage = new Stage();
    studio = await readyStudio();
    stage.trust(studio, { SHOTLIST_IN_FLIGHT: String(INSTANCES), SHOTLIST_PER_MODEL: String(INSTANCES) });
  });
  afterEach(async () => {
    unmount(stage.project);
    stage.dispose();
    await studio.close();
  });

  const onDiskOf = (size: string) => {
    expect(mount(stage.project, `size=${size}`)).toBe(true);
    stage.write('film.yaml', FILM);
    mkdirSync(stage.at('.shotlist'));
  };
  const run = () => stage.runAsProcess('run', 'film.yaml', '--ui', 'plain');
  const accepted = () => acceptedBy(studio.folder);

  test('of 120 kB, then of 600, then with room: nothing is sent, no id is lost, and the film is finished and paid once', async () => {
    onDiskOf('120k');
    const none = await ends(run(), 2);
    expect(none.stderr).toMatch(/disk is full.*(free|make room)/s);
    expect(accepted()).toEqual([]);

    expect(remount(stage.project, 'size=600k')).toBe(true);
    const full = await run();
    const written = journalText(stage.project);
    expect(accepted().length).toBeGreaterThan(0);
    const lost = accepted().filter(({ id }) => !written.includes(id) && !full.stderr.includes(id));
    expect(lost, full.stderr).toEqual([]);
    expect(full.signal).toBe(null);
    expect(full.stderr).toMatch(/disk is full.*(free|make room)/s);
    expect(full.stderr).not.toMatch(/\n\s+at /);
    expect(full.exit, full.stderr).toBe(1);

    expect(remount(stage.project, 'size=64m')).toBe(true);
    const roomy = await run();
    expect(roomy.exit, `${full.stderr}\n${roomy.stderr}`).toBe(0);
    const prompts = accepted().map(({ prompt }) => prompt);
    expect(prompts).toHaveLength(INSTANCES);
    expect(new Set(prompts).size).toBe(INSTANCES);

    await isReadOnly();
  });

  test('read-only before anything was there', async () => {
    onDiskOf('64m');
    await isReadOnly();
  });

  /** Found before anything is sent, and never answered with paying again. */
  async function isReadOnly(): Promise<void> {
    const before = accepted().length;
    // Something to send.
    stage.write('film.yaml', FILM.replaceAll('fox', 'hare'));
    expect(remount(stage.project, 'ro')).toBe(true);
    const { stderr } = await ends(run(), 2);
    expect(accepted()).toHaveLength(before);
    expect(stderr).toMatch(/read-only|only be read|cannot be written/);
    expect(stderr).not.toMatch(/move it away|pay again|\n\s+at /);
  }
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
