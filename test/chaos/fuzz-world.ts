/**
 * What the cases of a fuzz are carried out in: a project that a real run left behind, and the real commands, called as functions, with
 * what they would have shown kept. One process each: it stands in the project's folder.
 */
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { main as cancel } from '../../src/cli/commands/cancel.ts';
import { main as plan } from '../../src/cli/commands/plan.ts';
import { main as run } from '../../src/cli/commands/run.ts';
import { main as importWorkflow } from '../../src/cli/commands/tools/import.ts';

const COMMANDS = { plan, run, cancel, import: importWorkflow };

/** Small, and with something of everything that a journal and a lock keep. */
const FILM = `shotlist: 1
name: film
params:
  idea: { type: string, default: a fox }
steps:
  still:
    model: I-GEN-A
    matrix: { shot: [1, 2] }
    with: { prompt: "shot \${{ matrix.shot }}: \${{ params.idea }}", num_inference_steps: 1, output_format: png }
  words:
    run: echo "$bytes" > words.txt
    env: { bytes: "\${{ string(steps.still[0].bytes) }}" }
    creates: { out: words.txt }
outputs:
  stills: { from: "\${{ steps.still }}", to: "out/{shot}.png" }
`;
const SETTINGS = `service: there
services:
  there: { url: https://there.example, key_env: THERE_KEY, models: { I-GEN-A: fast-image } }
  here: { url: "http://127.0.0.1:1", key: abc-123 }
limits: { in_flight: 4, downloads: 2, commands: 2, submits_per_second: 5 }
on_unknown: fail
on_interrupt: detach
ui: plain
`;

export interface Said {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Of a file; or a link, as git carries them. */
export type Content = string | Uint8Array | { readonly linkTo: string };

export class FuzzWorld {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'shotlist-fuzz-')));
  readonly project = join(this.folder, 'project');
  readonly #home = process.cwd();
  readonly #state = join(this.folder, 'state');
  /** Files of the project as the run left them, by path. */
  readonly base = new Map<string, Buffer>();
  /** Called when the files of a case are in place: the time until then is the test's own. */
  onReset: () => void = () => {};

  static async open(): Promise<FuzzWorld> {
    const world = new FuzzWorld();
    process.env.HOME = world.folder;
    delete process.env.XDG_CONFIG_HOME;
    for (const name of Object.keys(process.env)) if (name.startsWith('SHOTLIST_')) delete process.env[name];
    mkdirSync(join(world.project, '.shotlist'), { recursive: true });
    process.chdir(world.project);
    writeFileSync('film.yaml', FILM);
    const said = await world.cli('run', 'film.yaml', '--draft', '--ui', 'plain');
    if (said.exit !== 0) throw new Error(`the film that everything is made from could not be made:\n${said.stderr}`);
    rmSync('.shotlist/studio-draft', { recursive: true, force: true });
    for (const path of ['film.yaml', 'film.lock.yaml', ...globSync('.shotlist/**/*.db')])
      world.base.set(path, readFileSync(path));
    world.base.set('shotlist.config.yaml', Buffer.from(SETTINGS));
    cpSync('.shotlist', world.#state, { recursive: true });
    return world;
  }

  /** The project as the run left it, but for what is given; a path that is given nothing is not there. */
  reset(given: Readonly<Record<string, Content | undefined>>): void {
    for (const path of [...globSync('*'), ...globSync('.shotlist/**/*.db*')])
      rmSync(path, { recursive: true, force: true });
    const files: Readonly<Record<string, Content | undefined>> = {
      ...Object.fromEntries(this.base),
      'shotlist.config.yaml': undefined,
      ...given,
    };
    for (const [path, content] of Object.entries(files)) {
      if (content === undefined) continue;
      mkdirSync(dirname(path), { recursive: true });
      if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(path, content);
      else symlinkSync(content.linkTo, path);
    }
    this.onReset();
  }

  get journals(): readonly string[] {
    return [...this.base.keys()].filter(path => /journal\.db$/.test(path));
  }

  /** What `shotlist …` shows, and its exit code. Throws what would have been a stack trace. */
  async cli(command: keyof typeof COMMANDS, ...args: readonly string[]): Promise<Said> {
    const said = { stdout: '', stderr: '' };
    const kept = { stdout: process.stdout.write, stderr: process.stderr.write };
    for (const name of ['stdout', 'stderr'] as const)
      process[name].write = ((text: string) => {
        said[name] += text;
        return true;
      }) as typeof process.stdout.write;
    try {
      return { exit: await COMMANDS[command](args), ...said };
    } finally {
      for (const name of ['stdout', 'stderr'] as const) process[name].write = kept[name];
    }
  }

  /** Puts what failed where a person finds it, and tells where. */
  keep(name: string): string {
    const to = join(tmpdir(), 'shotlist-fuzz-failures', name);
    rmSync(to, { recursive: true, force: true });
    cpSync(this.project, to, { recursive: true, filter: path => !relative(this.project, path).includes('store') });
    return to;
  }

  close(): void {
    process.chdir(this.#home);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
