/** A team whose store is a bucket: one worker leads, another does the heavy work, and neither keeps more at hand than it may. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BUCKET, bucketServer, once } from '../store/publish/bucket-server.ts';
import { ends } from './ended.ts';
import { Stage } from './stage.ts';
import { TeamStage } from './team-world.ts';

const FILM = `shotlist: 1
name: bucket
steps:
  still: { matrix: { beat: [1, 2] }, model: I-GEN-A, with: { prompt: "a fox, \${{ matrix.beat }}" } }
  joined:
    run: cat "$a" "$b" >joined.bin; wc -c <joined.bin >size.txt
    files: { a: "\${{ steps.still[0].result_url }}", b: "\${{ steps.still[1].result_url }}" }
    creates: { all: joined.bin, size: size.txt }
  film: { cut: { clips: [{ from: "\${{ steps.still[0] }}", for: 0.2s }, { from: "\${{ steps.still[1] }}", for: 0.2s }], size: 64x64 } }
outputs:
  film: { from: "\${{ steps.film }}", to: out/film.mp4 }
  size: { from: "\${{ steps.joined.files.size }}", to: out/size.txt }
`;
const OUTPUTS = ['out/draft/film.mp4', 'out/draft/size.txt'];
const QUICK = { SHOTLIST_STUDIO_SPEED: 'draft' };
const KEYS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };
/** A kilobyte: nothing that may go stays. */
const CACHE_GB = 0.000_001;

test('one worker makes of the other what `run` makes, though the bucket is out for a while', async () => {
  const bucket = await bucketServer();
  const store = `{ at: "s3://${BUCKET}/results", endpoint: "${bucket.url}" }`;
  const team = await TeamStage.open('shared', '', `store: ${store}, cache_gb: ${CACHE_GB}`);
  onTestFinished(() => team.close());
  team.env = { ...QUICK, ...KEYS };
  team.write('film.yaml', FILM);
  const leads = await team.worker('--hands', '0');
  await team.worker('--leads', '0');
  // Whatever a worker reads, and more often than one question is asked; who hands in reads nothing whole.
  const out = once(503, 'SlowDown', { methods: ['GET'], times: 12 });
  bucket.misbehaves.push((request, response) => request.headers.range === undefined && out(request, response));
  const run = await team.submit('film.yaml');
  await leads.line(/^trouble: .*cannot give/m);
  await ends(team.ask('team', 'watch', run, '--ui', 'plain'), 0);

  const fetched = await team.ask('team', 'fetch', run, '--ui', 'quiet');
  expect([fetched.exit, fetched.stdout], fetched.stderr).toEqual([0, OUTPUTS.map(path => `${path}\n`).join('')]);
  const alone = new Stage();
  onTestFinished(() => alone.dispose());
  alone.env = QUICK;
  alone.write('film.yaml', FILM);
  await ends(alone.run('run', 'film.yaml', '--ui', 'quiet'), 0);
  for (const path of OUTPUTS) expect([path, team.digest(path)]).toEqual([path, alone.digest(path)]);

  // What they made is in the bucket, and on neither of them.
  for (const name of ['worker-1', 'worker-2'])
    await expect.poll(() => bytesAtHand(join(team.folder, name))).toBeLessThanOrEqual(1_000);
  await ends(team.ask('team', 'submit', 'film.yaml', '--watch', '--ui', 'plain'), 0, 'nothing spent');

  // Somebody has tidied up in the bucket: what is made for nothing is made here instead.
  const lost = /^ {4}film:$[\s\S]*?sha256: ([0-9a-f]{64})/m.exec(team.read('film.lock.yaml'))?.[1] ?? '';
  bucket.misbehaves.push((request, response) => {
    if (!request.url?.includes(lost)) return false;
    return once(404, 'NoSuchKey')(request, response);
  });
  const other = new Stage();
  onTestFinished(() => other.dispose());
  other.env = team.env;
  for (const path of ['film.yaml', 'shotlist.config.yaml']) other.write(path, team.read(path));
  await ends(other.run('team', 'fetch', run, '--on', 'house', '--ui', 'plain'), 0, /film +started/);
  for (const path of OUTPUTS) expect([path, other.digest(path)]).toEqual([path, team.digest(path)]);
});

/** Bytes of results in the stores of a worker. */
function bytesAtHand(folder: string): number {
  const state = join(folder, 'state');
  return readdirSync(state, { recursive: true, encoding: 'utf8' })
    .filter(path => /[/\\]store[/\\][0-9a-f]{2}[/\\][0-9a-f]{64}-\d+/.test(path))
    .reduce((sum, path) => sum + (statSync(join(state, path), { throwIfNoEntry: false })?.size ?? 0), 0);
}
