/** What one machine has paid for all have: two machines, each with a HOME and a clone of its own, and one store between them. */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { BUCKET, type BucketServer, bucketServer } from '../store/publish/bucket-server.ts';
import { isPlacedFrom } from '../support/placed.ts';
import { type ReadyStudio, readyStudio } from '../support/ready-studio.ts';
import { temporaryFolder } from '../support/temp.ts';
import { ends } from './ended.ts';
import { Stage } from './stage.ts';

const FILM = `shotlist: 1
name: team
steps:
  look: { model: C-D, with: { prompt: a look, max_tokens: 100 } }
  still: { matrix: { beat: [1, 2] }, model: I-GEN-A, with: { prompt: "\${{ steps.look.text }} \${{ matrix.beat }}" } }
  shot: { model: I-EDIT-A, with: { prompt: in the rain, input_image: ["\${{ steps.still[0].result_url }}"] } }
  mark: { run: "od -An -N8 -tx1 /dev/urandom >mark.txt", creates: { text: mark.txt } }
outputs:
  shot: { from: "\${{ steps.shot }}", to: out/shot.webp }
  mark: { from: "\${{ steps.mark.files.text }}", to: out/mark.txt }
`;

let mine: Stage;
let studio: ReadyStudio;
beforeEach(async () => {
  mine = new Stage();
  studio = await readyStudio();
});
afterEach(async () => {
  await studio.close();
  mine.dispose();
});

/** A clone: what is in git, and nothing else. */
function cloned(from: Stage, files = ['film.yaml', 'film.lock.yaml', 'shotlist.config.yaml']): Stage {
  const clone = new Stage();
  onTestFinished(() => clone.dispose());
  for (const file of files) clone.write(file, from.read(file));
  return clone;
}

/** The service as it is once it keeps nothing of what it has made: whoever asks for it again pays again. */
async function forgotten(): Promise<ReadyStudio> {
  const { port } = new URL(studio.url);
  await studio.close();
  studio = await readyStudio({ port: Number(port) });
  return studio;
}

const bytesOf = (stage: Stage, path: string) => readFileSync(stage.at(path)).toString('hex');

describe.each(['a bucket', 'a folder'])('%s between two machines', kind => {
  let bucket: BucketServer;
  let place: string;
  let keys: Record<string, string>;
  beforeEach(async () => {
    mine.trust(studio);
    keys = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };
    bucket = await bucketServer();
    place =
      kind === 'a bucket'
        ? `{ at: "s3://${BUCKET}/results", endpoint: "${bucket.url}" }`
        : JSON.stringify(await temporaryFolder());
    mine.env = { ...mine.env, ...keys };
    mine.write('film.yaml', FILM);
    mine.write('shotlist.config.yaml', `store: ${place}\n`);
  });

  test('the second pays nothing and gets the same bytes; --frozen passes with the lock and the store alone', async () => {
    await ends(mine.run('run', 'film.yaml', '--ui', 'plain'), 0, /4 results sent to /);
    expect(await mine.run('store', 'check', 'film.yaml')).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('4 files'),
    });

    const theirs = cloned(mine);
    const anew = await forgotten();
    theirs.trust(anew, keys);
    const plan = await theirs.run('plan', 'film.yaml');
    expect([plan.exit, plan.stdout]).toEqual([0, expect.stringMatching(/from the team's store, \S+\s/)]);
    expect(plan.stdout).not.toContain('not answered');
    await ends(theirs.run('run', 'film.yaml', '--frozen', '--ui', 'plain'), 0, '4 fetched');
    expect(await anew.submits()).toBe(0);
    for (const path of ['out/shot.webp', 'out/mark.txt']) expect(bytesOf(theirs, path)).toBe(bytesOf(mine, path));
  });

  test('what was made before the setting is pushed; a store that is lost is told, and nothing is paid for twice', async () => {
    mine.write('shotlist.config.yaml', '');
    await ends(mine.run('run', 'film.yaml', '--ui', 'plain'), 0);
    mine.write('shotlist.config.yaml', `store: ${place}\n`);
    expect(await mine.run('store', 'check', 'film.yaml')).toMatchObject({
      exit: 1,
      stdout: expect.stringContaining('would go up'),
    });
    await ends(mine.run('store', 'push'), 0, '4 results sent');
    await ends(mine.run('store', 'check'), 0);

    const theirs = cloned(mine);
    const anew = await forgotten();
    theirs.trust(anew, keys);
    // As it is when the bucket is down, or the folder is not mounted.
    if (kind === 'a bucket')
      bucket.misbehaves.push((request, response) => {
        request.resume();
        response.writeHead(403, { 'content-type': 'application/xml' });
        response.end('<Error><Code>InvalidAccessKeyId</Code><Message>no</Message></Error>');
        return true;
      });
    else rmSync(JSON.parse(place), { recursive: true });
    const lost = await ends(theirs.run('run', 'film.yaml', '--ui', 'plain'), 1);
    expect(lost.stderr).toContain('was not paid for again');
    expect(await anew.submits()).toBe(0);
  });
});

test('other bytes in the store are told, and the result is fetched from the service instead', async () => {
  mine.trust(studio);
  const team = await temporaryFolder();
  mine.write('film.yaml', FILM);
  mine.write('shotlist.config.yaml', `store: ${JSON.stringify(team)}\n`);
  await ends(mine.run('run', 'film.yaml', '--ui', 'plain'), 0);
  const asked = await studio.submits();
  const kept = readdirSync(team, { recursive: true, encoding: 'utf8' });
  const shot = join(team, kept.find(name => name.endsWith('.webp')) ?? '');
  writeFileSync(shot, randomBytes(statSync(shot).size));

  const theirs = cloned(mine);
  theirs.trust(studio);
  await ends(theirs.run('run', 'film.yaml', '--frozen', '--ui', 'plain'), 0, 'other bytes are kept there');
  expect(await studio.submits()).toBe(asked);
  expect(bytesOf(theirs, 'out/shot.webp')).toBe(bytesOf(mine, 'out/shot.webp'));
});

test('a store that takes nothing does not hold a run, or fail it', async () => {
  mine.trust(studio);
  mine.write('film.yaml', FILM);
  mine.write('shotlist.config.yaml', 'store: ./not-mounted\n');
  await ends(
    mine.run('run', 'film.yaml', '--ui', 'plain'),
    0,
    /4 results not sent to .*not-mounted: the folder is not there; mount it, or make it; `shotlist store push FILE`/,
  );
});

test('what generate makes is sent as well, and a chat works beside a store that is not there', async () => {
  mine.trust(studio);
  const team = await temporaryFolder();
  mine.write('shotlist.config.yaml', `store: ${JSON.stringify(team)}\n`);
  const made = await mine.run('generate', 'I-GEN-A', 'prompt=a fox in the snow', '--out', 'fox.webp');
  expect([made.exit, made.stderr]).toEqual([0, expect.stringContaining(`1 result sent to ${team}`)]);
  const [kept] = readdirSync(team, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.webp'));
  expect(await isPlacedFrom(mine.at('fox.webp'), readFileSync(join(team, kept ?? '')))).toBe(true);

  mine.write('shotlist.config.yaml', 'store: ./not-mounted\n');
  const chat = await mine.run('chat', 'C-D', 'a title for a film about a fox');
  expect([chat.exit, chat.stdout.trim()]).toEqual([0, expect.stringMatching(/\w/)]);
  await ends(
    mine.run('generate', 'I-GEN-A', 'prompt=a hare in the snow', '--out', 'hare.webp'),
    0,
    /1 result not sent to .*not-mounted.*; what was made is on this machine alone/,
  );
});
