/** What the registry would give: the tarball, installed by npm into an empty project, without the optional packages and then with them. */
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { globSync, lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import project from '../../package.json' with { type: 'json' };
import type { FromWorker, ToWorker } from '../../src/machine/process/worker-program.ts';
import type { MediaQuestion, MediaVerdict } from '../../src/media/decode/inspector.ts';
import { PATIENCE } from '../support/patience.ts';
import { readyStudio } from '../support/ready-studio.ts';
import { ends } from './ended.ts';
import { type Ended, Stage } from './stage.ts';

/** No scripts: nothing of ours needs one, and that of `node-av` would fetch a program from elsewhere than the registry. */
const INSTALL = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
/** Of the installed project: what CI jobs download for each film. */
const MOST_BYTES = 40e6;
const MOST_PACKAGES = 40;

/** Ours is the Node that runs this, for whatever is started by name. */
const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);

const run = promisify(execFile);
const shelf = mkdtempSync(join(tmpdir(), 'shotlist-packed-'));
let tarball: string;
let contents: readonly string[];

class Packed extends Stage {
  override command(args: readonly string[]): readonly [program: string, ...given: string[]] {
    return [process.execPath, join(this.project, 'node_modules/shotlist/dist/shotlist.cjs'), ...args];
  }
  override run(...args: readonly string[]): Promise<Ended> {
    return this.runAsProcess(...args);
  }

  npm(...args: readonly string[]): Promise<{ readonly stdout: string }> {
    return run('npm', [...args, ...INSTALL], { cwd: this.project, env: { ...process.env, PATH }, encoding: 'utf8' });
  }
}

let stage: Packed;

beforeAll(async () => {
  // The build is fresh: `prepare` would make it once more.
  const packed = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', shelf], {
    env: { ...process.env, PATH },
  });
  contents = [...packed.stdout.matchAll(/"path": "([^"]+)"/g)].map(([, path]) => path ?? '');
  tarball = join(shelf, readdirSync(shelf)[0] ?? '');
  stage = new Packed();
  // What is installed draws.
  stage.films = 'drawn anew';
  stage.write('package.json', '{ "name": "film", "version": "1.0.0", "type": "module" }');
  await stage.npm('install', '--omit=optional', tarball);
});
afterAll(() => {
  stage?.dispose();
  rmSync(shelf, { recursive: true, force: true });
});

const refused = ({ exit, stdout, stderr }: Ended) => ({ exit, stdout, lines: stderr.trimEnd().split('\n') });

/** What the process that looks at files answers, as it is installed. */
async function looked(name: string, bytes: Uint8Array): Promise<unknown> {
  stage.write(name, bytes);
  const inspector = fork(stage.at('node_modules/shotlist/dist/inspector-program.js'), {
    env: stage.environment,
  });
  await once(inspector, 'message');
  inspector.send({ id: name, job: { path: stage.at(name) } } satisfies ToWorker<MediaQuestion>);
  const [answer] = (await once(inspector, 'message')) as [FromWorker<MediaVerdict>];
  inspector.kill();
  return answer.type === 'failed' ? answer.message : answer.type === 'done' ? answer.result : answer.type;
}

describe('the tarball', () => {
  test('holds what a user runs, and the licences of all that is in it', () => {
    const folders = new Set(contents.map(path => (path.includes('/') ? `${path.split('/')[0]}/` : path)));
    expect([...folders].sort()).toEqual([
      '.github/',
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist/',
      'package.json',
      'pipelines/',
      'schema/',
    ]);
    expect(contents.filter(path => /\.lock\.yaml$|\.map$/.test(path))).toEqual([]);
    expect(contents).toContain('dist/THIRD-PARTY-LICENSES.txt');
    // A third of it is a film's own footage and the reader of media; the language server, the pages and Ink came in last.
    expect(lstatSync(tarball).size).toBeLessThan(3.7e6);
  });
});

const PORTRAIT = `
shotlist: 1
name: portrait
steps:
  still: { model: I-GEN-A, with: { prompt: a lighthouse keeper } }
  alive:
    matrix: { ratio: ["16:9", "9:16"] }
    model: V-I2V-A
    with: { prompt: slow push in, input_image: "\${{ steps.still.result_url }}", aspect_ratio: "\${{ matrix.ratio }}" }
outputs:
  film: { from: "\${{ steps.alive }}", to: "out/portrait-{ratio}.mp4" }
`;

describe('without the optional packages', () => {
  test('it is small: few packages, few bytes', () => {
    const modules = stage.at('node_modules');
    const packages = globSync('**/node_modules/{*,@*/*}/package.json', { cwd: stage.project });
    const bytes = globSync('**', { cwd: modules })
      .map(path => lstatSync(join(modules, path)))
      .reduce((sum, it) => sum + (it.isFile() ? it.size : 0), 0);
    expect(packages.length).toBeLessThan(MOST_PACKAGES);
    expect(bytes).toBeLessThan(MOST_BYTES);
  });

  test('its command helps, checks, plans and chats', async () => {
    const { stdout: version } = await run('npx', ['--no-install', 'shotlist', '--version'], {
      ...{ cwd: stage.project, env: { ...process.env, PATH }, encoding: 'utf8' },
    });
    expect(version.trim()).toBe(project.version);
    expect((await stage.run('--help')).stdout).toContain('run         make the film');
    await ends(stage.run('check', 'pipelines/teaser.yaml'), 0);
    const planned = await stage.run('plan', 'pipelines/teaser.yaml');
    expect([planned.exit, planned.stdout]).toEqual([0, expect.stringContaining('out/teaser.mp4')]);
    const answered = await stage.run('chat', 'C-D', 'a title for a film about a fox');
    expect([answered.exit, answered.stdout.length > 3]).toEqual([0, true]);
  });

  test.each([
    ['the studio', ['studio']],
    ['a film of it', ['run', 'pipelines/teaser.yaml']],
    ['one picture', ['generate', 'I-GEN-A', 'prompt=a fox']],
  ])('%s is refused in one sentence that says what to install', async (_, args) => {
    expect(refused(await stage.run(...args))).toEqual({
      exit: 2,
      stdout: '',
      lines: [
        expect.stringMatching(
          /^shotlist: the built-in studio draws with packages that are not installed here \(.+ and 5 more\): install them with `npm install --include=optional`, then give the same command again$/,
        ),
      ],
    });
  });

  test('a program reads the same in the generation that failed', async () => {
    stage.write(
      'program.js',
      `import { connect, serveStudio } from 'shotlist';
const studio = await serveStudio({ folder: 'state', key: 'local', speed: 'draft' });
const service = connect({ name: 'studio', baseUrl: studio.url, key: 'local' });
const answer = await service.generateNow('/images/generate', { model: 'I-GEN-A', prompt: 'a fox' }, AbortSignal.timeout(${PATIENCE}));
console.log(answer.is, answer.message);
await service.close();
await studio.close();
`,
    );
    const { stdout } = await run(process.execPath, ['program.js'], { cwd: stage.project, env: stage.environment });
    expect(stdout).toContain('it takes packages that are not installed here (');
  });

  test('a film and its pictures come from a service, looked at before they are kept', async () => {
    const elsewhere = await readyStudio();
    stage.env = { SHOTLIST_BASE_URL: elsewhere.url, SHOTLIST_API_KEY: elsewhere.key };
    try {
      stage.write('portrait.yaml', PORTRAIT);
      const { stdout } = await ends(stage.run('run', 'portrait.yaml'), 0);
      expect(stdout.trim().split('\n').sort()).toEqual(['out/portrait-16x9.mp4', 'out/portrait-9x16.mp4']);
      // Nothing is paid for that could not be cut.
      const cut = await stage.run('run', 'pipelines/image-to-video.yaml');
      expect(cut).toMatchObject({ exit: 2, stdout: '' });
      expect(cut.stderr).toMatch(
        /^shotlist: films are cut, and frames are taken, with packages that are not installed here/m,
      );
      expect(cut.stderr).toContain('nothing was paid for');
    } finally {
      stage.env = {};
      await elsewhere.close();
    }
  });

  test('what cannot be looked at without them says so, and what can is looked at', async () => {
    const picture = sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } });
    const avi = Buffer.alloc(600, 'RIFF\0\0\0\0AVI LIST', 'latin1');
    const told = {
      'whole.png': await looked('whole.png', await picture.clone().png().toBuffer()),
      'half.png': await looked('half.png', (await picture.clone().png().toBuffer()).subarray(0, -20)),
      'whole.avif': await looked('whole.avif', await picture.clone().avif().toBuffer()),
      'whole.avi': await looked('whole.avi', avi),
    };
    expect(told).toEqual({
      'whole.png': { kind: 'image', format: 'png', width: 40, height: 30 },
      'half.png': 'the file is a png image that cannot be decoded: send a whole png, jpg or webp',
      'whole.avif': expect.stringMatching(
        /^this avif image cannot be looked at: it takes packages that are not installed here \(.+\): install them with `npm install --include=optional`$/,
      ),
      'whole.avi': expect.stringMatching(/node-av.*install there with `npm install --include=optional`$/),
    });
  });

  test('its types stand alone under both ways of finding them', async () => {
    stage.write(
      'program.ts',
      `import { compile, connect, definePipeline, modelLibrary, plan, run, serveStudio, type Studio, type Enqueued } from 'shotlist';
const studio: Studio = await serveStudio({ folder: 'state', key: 'local', speed: 'draft', vices: ['answers-504=0.3'] });
const service = connect({ name: 'studio', baseUrl: studio.url, key: 'local' });
const sent: Enqueued = await service.enqueue({ model: 'V-T2V-A', prompt: 'a fox' }, AbortSignal.timeout(30_000));
if (sent.is === 'accepted') console.log(sent.id.length);
// @ts-expect-error: a misspelt option is seen
await serveStudio({ folder: 'state', key: 'local', sped: 'draft' });
console.log(compile({ path: 'film.yaml', text: '' }, modelLibrary).diagnostics.length);
const film = definePipeline({
  shotlist: 1,
  name: 'fox',
  models: { film: 'V-T2V-A' },
  steps: { shot: { model: 'film', with: { prompt: 'a fox', aspect_ratio: '9:16' } } },
});
// @ts-expect-error: a misspelt field is seen
definePipeline({ shotlist: 1, name: 'fox', steps: { shot: { model: 'V-T2V-A', with: { promt: 'a fox' } } } });
const planned = await plan(film, { folder: 'films', service: { studio: 'draft' } });
if (planned.is === 'mistaken') for (const { where, message } of planned.mistakes) console.log(where.length, message.length);
const making = run(film, { folder: 'films', signal: AbortSignal.timeout(60_000) });
for await (const event of making) if (event.type === 'succeeded') console.log(event.key.length, event.result.is);
const outcome = await making.outcome;
if (outcome.is !== 'mistaken') console.log(outcome.usd, outcome.outputs.map(({ path }) => path));
`,
    );
    const compiler = resolve('node_modules/typescript/bin/tsc');
    const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false'];
    const bare = ['--target', 'es2024', '--lib', 'es2024,dom', '--types', ''];
    for (const way of [
      ['--module', 'node16', '--moduleResolution', 'node16'],
      ['--module', 'esnext', '--moduleResolution', 'bundler'],
    ]) {
      const compiled = await run(process.execPath, [compiler, ...strict, ...bare, ...way, 'program.ts'], {
        cwd: stage.project,
      }).catch((error: { stdout: string }) => error);
      expect([way.at(-1), compiled.stdout]).toEqual([way.at(-1), '']);
    }
  });
});

describe('on a Node that is too old', () => {
  test('it says in one sentence which it needs, and how to get it', async () => {
    const old =
      "Object.defineProperty(process.versions, 'node', { value: '20.20.2' });\nObject.defineProperty(process, 'version', { value: 'v20.20.2' });\n";
    writeFileSync(join(shelf, 'old.cjs'), old);
    stage.env = { NODE_OPTIONS: `--require ${join(shelf, 'old.cjs')}` };
    const told = refused(await stage.run('check', 'pipelines/teaser.yaml'));
    stage.env = {};
    expect(told).toEqual({
      exit: 2,
      stdout: '',
      lines: [
        'shotlist needs Node 24 or newer, and this is v20.20.2: get one from https://nodejs.org, or `npm install node@24` in this folder and start it with `npx shotlist`',
      ],
    });
    expect(project.engines.node).toBe('>=24');
  });
});

/** A still, a clip, a cut with a title and a frame: between them they take every optional package. */
const DRAWN = `
shotlist: 1
name: drawn
steps:
  still: { model: I-GEN-A, with: { prompt: a lighthouse keeper } }
  shot: { model: V-T2V-A, with: { prompt: a fox on the ice, duration: 2, resolution: 720P } }
  film: { cut: { clips: [{ title: "The Keeper 河流", for: 1s }, { from: "\${{ steps.still }}", for: 1s }, "\${{ steps.shot }}"] } }
outputs:
  film: { from: "\${{ steps.film }}", to: out/drawn.mp4 }
  poster: { from: "\${{ steps.film.frame_at('3s') }}", to: out/drawn.png }
`;

describe('after the command that the sentence names', () => {
  beforeAll(() => stage.npm('install', '--include=optional'));

  test('the studio draws', async () => {
    stage.write('drawn.yaml', DRAWN);
    const { stdout } = await ends(stage.run('run', 'drawn.yaml', '--draft'), 0);
    expect(stdout.trim().split('\n').sort()).toEqual(['out/draft/drawn.mp4', 'out/draft/drawn.png']);
  });
});
