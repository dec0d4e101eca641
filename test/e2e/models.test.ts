/** `shotlist models` as a person types it: the built-in studio's shelf without a server, and a service's own catalog. */
import { writeFileSync } from 'node:fs';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { type ReadyStudio, readyStudio } from '../support/ready-studio.ts';
import { Stage } from './stage.ts';

let stage = new Stage();
afterEach(() => {
  stage.dispose();
  stage = new Stage();
});

async function served(): Promise<ReadyStudio> {
  const studio = await readyStudio();
  onTestFinished(() => studio.close());
  return studio;
}

const FOOTNOTE = 'Prices are examples: the built-in studio charges nothing. `shotlist models ID` shows one in full.';

test('the whole list, and nothing is left behind on this machine', async () => {
  const { exit, stdout, stderr } = await stage.run('models');
  expect([exit, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^text → video\n {2}V-T2V-A {6}\$0\.10 to \$0\.15 a second {2}several shots in one take/);
  expect(modelLibrary.labels.filter(label => !stdout.includes(`\n  ${label} `))).toEqual([]);
  expect(stdout.endsWith(`\n\n${FOOTNOTE}\n`)).toBe(true);
  expect(stage.has('.shotlist')).toBe(false);
});

test('it is searched, and narrowed by developer and by what can be fine-tuned', async () => {
  const upscale = await stage.run('models', 'search', 'UpScal');
  expect(upscale.stdout).toBe(
    `video → video, larger and finer (upscale)\n  V-UP  $0.03 to $0.10 a second  the last step: finer detail, more frames a second, grain  detail-enhancing video upscaler\n\n${FOOTNOTE}\n`,
  );
  const tuned = await stage.run('models', 'search', 'developer=shotlist', 'action=text_to_video');
  expect(tuned.stdout).toBe(
    `text → video\n  V-T2V-A  $0.10 to $0.15 a second  several shots in one take, and films led by a sound of yours  text to video, 720P or 1080P, 2 to 15 s, multi-shot, optional driving audio\n\n${FOOTNOTE}\n`,
  );
  const none = await stage.run('models', 'search', 'developer=nobody');
  expect([none.exit, none.stdout]).toEqual([0, 'no model fits\n']);
  // By what it does, and by its label.
  expect((await stage.run('models', 'search', 'judging', 'takes')).stdout).toMatch(/^ {2}C-B /m);
  expect((await stage.run('models', 'search', 'v-rf')).stdout).toMatch(/^ {2}V-RF /m);
});

test('as JSON, in the shape of the catalog', async () => {
  const list = JSON.parse((await stage.run('models', 'search', '--json', 'reframe')).stdout);
  expect([list.object, list.data.length, list.data[0].id, list.data[0].object]).toEqual(['list', 1, 'V-RF', 'model']);
  const one = JSON.parse((await stage.run('models', 'V-context-E', '--json')).stdout);
  expect([one.id, one.endpoint, one.request_schema.required]).toEqual([
    'V-context-E',
    '/chat/completions',
    ['messages'],
  ]);
  expect(one.documented.chat.priceStep).toEqual({ aboveInputTokens: 272_000, inputFactor: 2, outputFactor: 1.5 });
});

test('a name that nobody knows, and a command line that makes no sense', async () => {
  const said = async (...args: string[]) => {
    const { exit, stdout, stderr } = await stage.run('models', ...args);
    return `${exit} ${stdout}${stderr}`;
  };
  expect(await said('V-I2V')).toBe('2 shotlist: the built-in studio has no model `V-I2V`; did you mean `V-I2V-A`?\n');
  expect(await said('V-RTT')).toBe('2 shotlist: the built-in studio has no model `V-RTT`; did you mean `V-RT`?\n');
  expect(await said('something')).toBe(
    '2 shotlist: the built-in studio has no model `something`; shotlist models lists what it has\n',
  );
  expect(await said('V-RT', 'V-RF')).toBe('2 shotlist: unexpected argument `V-RF`; shotlist models takes one model\n');
  expect(await said('search')).toBe('2 shotlist: which models? shotlist models search WORD, or developer=NAME\n');
  expect(await said('search', 'x', 'maker=me')).toBe(
    '2 shotlist: models are found by developer and action, and not by maker\n',
  );
  expect(await said('--search', 'x')).toBe(
    '2 shotlist: there is no option --search; `shotlist models search WORD` finds by name and by what they do\n',
  );
  expect(await said('--live')).toBe('2 shotlist: --live refreshes one model: shotlist models ID --live\n');
  expect(await said('--serach', 'x')).toBe('2 shotlist: there is no option --serach; see shotlist help models\n');
});

test('a service is asked for its own models', async () => {
  const { url, key } = await served();
  stage.env = { SHOTLIST_BASE_URL: url, SHOTLIST_API_KEY: key };
  const host = new URL(url).host;
  const footnote = 'Prices come from the service. `shotlist models ID` shows one model in full.';
  const found = await stage.run('models', 'search', 'tuned', 'developer=Shotlist');
  expect([found.exit, found.stdout, found.stderr]).toEqual([
    0,
    `text → video
  fox-look    $0.0011 a second of use  text to video, tuned to one fox (inactive)

text → image
  river-look  $0.0011 a second of use  text to image, tuned to one river (active)

text, images → image (editing)
  storm-look  $0.0011 a second of use  image editing, tuned to one storm; its deployment always ends in an error (inactive)

${footnote}
`,
    '',
  ]);
  const tuned = await stage.run('models', 'search', 'action=text_to_video');
  expect(tuned.stdout).toBe(
    `text → video\n  V-T2V-A  $0.10 to $0.15 a second  several shots in one take, and films led by a sound of yours  text to video, 720P or 1080P, 2 to 15 s, multi-shot, optional driving audio\n\n${footnote}\n`,
  );
  expect((await stage.run('models', 'search', 'judging', 'takes')).stdout).toMatch(/^ {2}C-B /m);
  const live = JSON.parse((await stage.run('models', 'fox-look', '--live', '--json')).stdout);
  expect([live.id, live.deployments]).toEqual(['fox-look', [{ status: 'inactive' }]]);
  const slip = await stage.run('models', 'fox-lok');
  expect([slip.exit, slip.stderr]).toEqual([
    2,
    `shotlist: ${host} has no model \`fox-lok\`; did you mean \`fox-look\`?\n`,
  ]);
});

test('a service’s own name for a label: the page is the label’s, with the service’s prices', async () => {
  const { url, key } = await served();
  writeFileSync(
    stage.at('shotlist.config.yaml'),
    `services:\n  acme: { url: "${url}", key_env: ACME_KEY, models: { I-GEN-A: river-look } }\n`,
  );
  stage.env = { ACME_KEY: key };
  const { exit, stdout, stderr } = await stage.run('models', 'I-GEN-A', '--service', 'acme');
  expect([exit, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^I-GEN-A \(river-look\): text to image, tuned to one river\n/);
  expect(stdout).toMatch(/^ {2}price {7}\$0\.0011 a second of use$/m);
  expect(stdout).toMatch(/^ {2}made from {3}I-GEN-A\n {2}deployment {2}active$/m);
  const listed = JSON.parse((await stage.run('models', '--service', 'acme', '--json')).stdout);
  expect(listed.data.filter(({ id }: { id: string }) => id === 'river-look')).toEqual([]);
});

test('how a deployment of the built-in studio stands is asked of the studio', async () => {
  const { exit, stdout } = await stage.run('models', 'river-look', '--live', '--json');
  expect([exit, JSON.parse(stdout).deployments]).toEqual([0, [{ status: 'active' }]]);
});

test('a service that refuses the key, or is not there', async () => {
  const studio = await served();
  const { url } = studio;
  const { host } = new URL(url);
  stage.env = { SHOTLIST_BASE_URL: url, SHOTLIST_API_KEY: 'another' };
  const refused = await stage.run('models');
  expect([refused.exit, refused.stdout, refused.stderr]).toEqual([6, '', 'shotlist: unauthenticated (401)\n']);
  await studio.close();
  const gone = await stage.run('models', 'V-RT');
  expect([gone.exit, gone.stderr]).toEqual([6, `shotlist: ${host}: nothing answers there (connection refused)\n`]);
});
