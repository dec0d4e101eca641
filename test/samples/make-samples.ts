/**
 * `npm run samples -- NAME` writes `test/samples/NAME/`: a project and a team's database as the bundle of this commit leaves them. It is
 * run when a format has grown, under a new name: samples of before are never changed.
 *
 *   expected.json   what each film owns, shows and costs: to be read by a person before it is committed
 *   project/   five films, their locks, the journal as SQL, the results
 *   studio/    the service that they were sent to: its records as SQL, and the result that is only there
 *   team/      rows of the team's tables, and its store
 */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { RenderRefusal } from '../../src/studio/animatic/job.ts';
import { type Ended, Stage, type Started } from '../e2e/stage.ts';
import { TeamStage } from '../e2e/team-world.ts';
import build from '../support/build.ts';
import { onServer } from '../support/postgres.ts';
import { readyStudio } from '../support/ready-studio.ts';
import { factsOf, factsOfTeam } from './facts.ts';
import { faultyService } from './faulty-service.ts';
import { NOW_LONG_AGO, openProject, openTeam, SERVICE, sqlText, teamText } from './open-sample.ts';

const [name] = process.argv.slice(2);
if (name === undefined) throw new Error('npm run samples -- NAME');
const out = resolve('test/samples', name);
if (existsSync(out)) throw new Error(`${out} is there already: samples are never changed`);
build();

const busyMet = Promise.withResolvers<void>();
const folder = resolve('out/samples');
rmSync(folder, { recursive: true, force: true });
const studio = await readyStudio({
  ...{ folder: join(folder, 'studio'), workers: 16 },
  before: async ({ request }, signal) => {
    const prompt = String(request.prompt);
    if (prompt.startsWith('it fails')) throw new RenderRefusal('the fox has run away');
    if (prompt === 'made there') return busyMet.promise;
    if (/^(open|lost|silent|growing|led)/.test(prompt))
      await new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  },
});
const service = await faultyService(studio.url);
const stage = new Stage();
/** All that runs here is thirty days ago: a sample is old already when it is first opened. */
const LONG_AGO = { NODE_OPTIONS: `--require ${resolve('test/samples/long-ago.cjs')}` };
const settings = `services: { farm: { url: "${service.url}", key_env: FARM_KEY } }\nservice: farm\nhistory: trusted\n`;
stage.env = { FARM_KEY: studio.key, ...LONG_AGO };
stage.write('shotlist.config.yaml', settings);
for (const film of readdirSync('test/samples/films'))
  cpSync(join('test/samples/films', film), join(stage.project, film));
stage.write('.shotlist/.gitkeep', '');

async function shotlist(exit: number, ...args: readonly string[]): Promise<Ended> {
  const ended = await stage.runAsProcess(...args);
  if (ended.exit !== exit) throw new Error(`${args.join(' ')}: ${ended.exit}\n${ended.stdout}${ended.stderr}`);
  return ended;
}

/** Resolves once the journal has so many events of the type, of films of this name. */
async function journalled(run: Started, film: string, type: string, count = 1): Promise<void> {
  const ended = run.ended.then(({ stderr }) => Promise.reject(new Error(stderr)));
  ended.catch(() => {});
  for (;;) {
    const database = new DatabaseSync(join(stage.project, '.shotlist/journal.db'), { readOnly: true });
    const row = database.prepare('SELECT count(*) AS n FROM event WHERE film = ? AND type = ?').get(film, type);
    database.close();
    if (Number(row?.n) >= count) return;
    await Promise.race([sleep(50), ended]);
  }
}

console.log(
  'a finished film: an answer that did not fit, a command tried again, a rule that chose, another bill than was expected',
);
service.chats.push('{"score": "high"}', '{"score": 7}');
service.bill = '0.02';
await shotlist(0, 'run', 'finished.yaml', '--ui', 'plain');
service.bill = undefined;
await shotlist(0, 'run', 'finished.yaml', '--ui', 'plain');

console.log('a film that waits for a person, after two have chosen, one of them while it ran');
const choosing = stage.start('run', 'choosing.yaml', '--ui', 'plain');
await journalled(choosing, 'choosing', 'succeeded', 8);
await shotlist(0, 'pick', 'choosing.yaml', 'either', 'quick', '--as', 'Ada');
await journalled(choosing, 'choosing', 'left_out');
stage.write('chosen', '');
await choosing.ended;
await shotlist(0, 'pick', 'choosing.yaml', 'best[beat=ice]', 'take=2', '--as', 'Ada', '--note', 'the calm one');
await shotlist(0, 'pick', 'choosing.yaml', 'best[beat=rain]', 'take=1', '--as', 'Ada');
await shotlist(5, 'run', 'choosing.yaml');
await shotlist(0, 'approve', 'choosing.yaml', 'ok', '--as', 'Bea');
await shotlist(0, 'pick', 'choosing.yaml', 'best[beat=rain]', '--undo');
await shotlist(5, 'run', 'choosing.yaml');

console.log('a film with steps that failed, and with one that was made for another film');
await shotlist(1, 'run', 'failing.yaml', '--exclude', 'apart');

console.log('a film that grew, killed while its model is up and two shots are made');
const growing = stage.start('run', 'growing.yaml', '--ui', 'plain');
await growing.line(/submitted[\s\S]*submitted/);
await journalled(growing, 'growing', 'submit_accepted', 2);
growing.kill();

console.log('a film that was cut off: one request forgotten, one proven absent, one let go of');
service.faults.set('forgotten request', 'silent');
service.hidesHistory = true;
const first = stage.start('run', 'cut-off.yaml', 'forgotten', '--ui', 'plain');
await journalled(first, 'cut-off', 'submit_intended');
first.kill();
await first.ended;
service.hidesHistory = false;
await shotlist(0, 'cancel', 'cut-off.yaml', 'forgotten', '--forget');
service.faults.set('vanished on the way', 'vanished');
const second = stage.start('run', 'cut-off.yaml', 'open', 'vanished', '--ui', 'plain');
await journalled(second, 'cut-off', 'succeeded');
second.interrupt();
await second.ended;

console.log('… and killed with requests open, unknown, refused, and made but not downloaded');
service.hidesHistory = true;
for (const [word, fault] of [
  ['lost answer', 'lost'],
  ['silent service', 'silent'],
  ['busy service', 'busy'],
] as const)
  service.faults.set(word, fault);
stage.env = { ...stage.env, SHOTLIST_FAILPOINT: 'downloading' };
const third = stage.start('run', 'cut-off.yaml', '--exclude', 'forgotten', '--ui', 'plain');
await journalled(third, 'cut-off', 'submit_unknown');
await journalled(third, 'cut-off', 'looking');
await journalled(third, 'cut-off', 'submit_intended', 7);
stage.write('go', '');
await journalled(third, 'cut-off', 'submit_refused');
busyMet.resolve();
await third.ended;
service.hidesHistory = false;
service.faults.clear();

const port = (url: string) => new URL(url).host;
const placed = (text: string) =>
  text
    .replaceAll(port(service.url), port(SERVICE))
    .replaceAll(port(studio.url), port(SERVICE))
    .replaceAll(stage.folder, '/films');
const keep = (path: string, text: string) => {
  mkdirSync(dirname(join(out, path)), { recursive: true });
  writeFileSync(join(out, path), placed(text));
};
for (const file of readdirSync(stage.project).filter(file => /^\w[\w-]*(\.lock)?\.yaml$/.test(file)))
  keep(`project/${file}`, stage.read(file));
for (const file of ['shotlist.config.yaml', 'posted']) keep(`project/${file}`, stage.read(file));
keep('project/journal.sql', sqlText(join(stage.project, '.shotlist/journal.db')));
cpSync(join(stage.project, '.shotlist/store'), join(out, 'project/store'), { recursive: true });

console.log("a team's database");
const team = await TeamStage.open('shared', settings);
await onServer(team.database.url, client => client.query(NOW_LONG_AGO));
team.env = { FARM_KEY: studio.key, ...LONG_AGO };
for (const [file, text] of Object.entries(TEAM_FILMS())) team.write(file, text);
const fine = async (...args: readonly string[]) => {
  const ended = await team.runAsProcess(...args);
  if (![0, 5].includes(ended.exit ?? -1)) throw new Error(`${args.join(' ')}: ${ended.stdout}${ended.stderr}`);
  return ended;
};
await fine('team', 'limit', 'farm', 'in_flight=40', 'usd_per_day=500', 'I-GEN-A=8', '--on', 'house');
const worker = await team.worker();
const small = await team.submit('small.yaml');
await fine('team', 'watch', small, '--on', 'house');
const picked = await team.submit('picked.yaml');
await fine('team', 'watch', picked, '--on', 'house');
await fine('pick', 'picked.yaml', 'best', 'take=2', '--on', 'house', '--as', 'Ada');
await fine('team', 'watch', picked, '--on', 'house');
service.faults.set('led and silent', 'silent');
await team.submit('led.yaml');
const ofTeam = async (sql: string) => (await onServer(team.database.url, client => client.query(sql))).rows[0]?.n;
while (
  (await ofTeam("SELECT count(*)::int AS n FROM shotlist.event WHERE type = 'submit_accepted' AND key = 'open'")) !== 1
)
  await sleep(50);
while (
  (await ofTeam("SELECT count(*)::int AS n FROM shotlist.event WHERE type = 'submit_intended' AND key = 'silent'")) !==
  1
)
  await sleep(50);
worker.kill();
await worker.ended;
keep('team/rows.sql', await teamText(team.database.url));
cpSync(join(team.folder, 'shared'), join(out, 'team/store'), { recursive: true });
for (const file of [...Object.keys(TEAM_FILMS())]) keep(`team/${file}`, team.read(file));
await team.close();

await studio.close();
keep('studio/state.sql', sqlText(join(folder, 'studio/studio.sqlite')));
cpSync(join(folder, 'studio/results'), join(out, 'studio/results'), { recursive: true });
await service.close();
stage.dispose();
rmSync(folder, { recursive: true, force: true });
const made = await openProject(name);
writeFileSync(join(out, 'expected.json'), JSON.stringify(await factsOf(made), null, 2));
await made.close();
const madeTeam = await openTeam(name);
writeFileSync(join(out, 'team/expected.json'), JSON.stringify(await factsOfTeam(madeTeam), null, 2));
await madeTeam.close();
const bytes = (at: string): number =>
  statSync(at).isDirectory()
    ? readdirSync(at).reduce((sum, file) => sum + bytes(join(at, file)), 0)
    : statSync(at).size;
console.log(`${out}: ${Math.ceil(bytes(out) / 1000)} kB`);

/** One is done, with a command and a cut; one waits for an approval after a pick; one is led by a worker that is killed. */
function TEAM_FILMS(): Readonly<Record<string, string>> {
  return {
    'small.yaml': `shotlist: 1
name: small
steps:
  still: { model: I-GEN-A, with: { prompt: a small fox } }
  words: { run: "echo a fox >words.txt", creates: { text: words.txt } }
  film: { cut: { clips: [{ from: "\${{ steps.still }}", for: 0.2s }], size: 64x64 } }
outputs:
  film: { from: "\${{ steps.film }}", to: out/small.mp4 }
  words: { from: "\${{ steps.words.files.text }}", to: out/words.txt }
`,
    'picked.yaml': `shotlist: 1
name: picked
steps:
  still: { model: I-GEN-A, takes: 2, with: { prompt: a fox of many takes } }
  best: { pick: "\${{ steps.still }}", save: out/best.webp }
  ok: { approve: "\${{ steps.best }}" }
  told: { needs: [ok], run: [echo, "\${{ steps.best.choice.who }}"] }
`,
    'led.yaml': `shotlist: 1
name: led
steps:
  open: { model: I-GEN-A, with: { prompt: led and open }, save: out/open.webp }
  silent: { model: I-GEN-A, with: { prompt: led and silent }, save: out/silent.webp }
`,
  };
}
