/**
 * Bugs in what a team does about money, for `npm run chaos -- --team --plants`: each is planted in a copy of the sources, a team is put under fire,
 * and the checker, which sees the service's door alone, has to find it.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { ShapeName } from './team-shapes.ts';

interface Edit {
  readonly file: string;
  /** Stands once in the file. */
  readonly from: string;
  readonly to: string;
}

interface TeamBug extends Edit {
  readonly name: string;
  /** The trial that shows it, and the fault at the door that it is seen by: a regular expression. */
  readonly shape: ShapeName;
  readonly shows: string;
  /** A second edit: takes away another check that hides the bug. */
  readonly also?: Edit;
}

export const TEAM_BUGS: readonly TeamBug[] = [
  {
    name: 'two leads are admitted at once',
    ...{ shape: 'same requests at once', shows: '^double' },
    file: 'src/team/journal/team-journal.ts',
    from: '}, lock);',
    to: '});',
    also: {
      file: 'src/team/database/migrations.ts',
      from: "IF (p ->> 'waits')::boolean THEN",
      to: 'IF false THEN',
    },
  },
  {
    name: 'a lead that was superseded goes on',
    ...{ shape: 'frozen lead', shows: '^double' },
    file: 'src/team/database/migrations.ts',
    from: 'SELECT coalesce((SELECT epoch = p_epoch FROM film',
    to: 'SELECT coalesce((SELECT true FROM film',
    also: {
      file: 'src/team/worker/worker.ts',
      from: 'AbortSignal.any([lost, this.#stopped])',
      to: 'this.#stopped',
    },
  },
  {
    name: 'a request whose answer was lost takes no place',
    ...{ shape: 'lost answers', shows: '^limit' },
    file: 'src/run/admission/under-way.ts',
    from: '> now - LONGEST_GENERATION) return true;',
    to: "> now - LONGEST_GENERATION) return state !== 'unknown';",
  },
  {
    name: 'the rate of the key counts a tenth of a second',
    ...{ shape: 'low limits', shows: '^rate' },
    file: 'src/team/database/migrations.ts',
    from: 'answered_at > v_now - 1000 AND',
    to: 'answered_at > v_now - 100 AND',
  },
  {
    name: 'the limit of a model is not asked for',
    ...{ shape: 'low limits', shows: '^limit: .* in flight of I-GEN-A' },
    file: 'src/run/admission/service-places.ts',
    from: 'least(limits.per_model, allowed?.models[model])',
    to: 'limits.per_model',
  },
  {
    name: 'what other films have in flight is not counted',
    ...{ shape: 'low limits', shows: '^limit: .* in flight in all' },
    file: 'src/run/admission/service-places.ts',
    from: '- sum(mine) - sum(theirs);',
    to: '- sum(mine);',
  },
  {
    name: 'a budget stops nothing',
    ...{ shape: 'low limits', shows: '^budget' },
    file: 'src/run/admission/journal-budgets.ts',
    from: 'if (stop) return stop;',
    to: 'if (stop) return undefined;',
  },
  {
    name: 'what the lead before sent is not taken up',
    ...{ shape: 'killed lead', shows: '^double' },
    file: 'src/run/admission/journal-admission.ts',
    from: 'return this.#options.journal.views.ledger.open.filter(',
    to: 'return this.#options.journal.views.ledger.open.slice(0, 0).filter(',
  },
  {
    name: 'what another film asks for at the moment is not seen',
    ...{ shape: 'same requests at once', shows: '^double' },
    file: 'src/run/admission/journal-admission.ts',
    from: 'const theirs = shared ? journal.views.sent.openElsewhere(fingerprint, account) : undefined;',
    to: 'const theirs: ReturnType<typeof journal.openElsewhere> = undefined;',
  },
  {
    name: 'a worker that leaves ends its deployments',
    ...{ shape: 'leads that leave', shows: '^deployment: .* was ended while' },
    file: 'src/team/worker/lead-run.ts',
    from: "is === 'interrupted' ? signal.aborted :",
    to: "is === 'interrupted' ? false :",
  },
];

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const LEFT_OUT = new Set(['node_modules', 'dist', 'out', '.git', '.shotlist']);

export interface Seen {
  /** What the checker found at the door; undefined: not what the bug is seen by. */
  readonly atDoor: string | undefined;
  /** The first fault of any other kind. Late takeovers are not among them: a slow machine has those too. */
  readonly elsewhere: string | undefined;
  /** Seconds of the trial. */
  readonly seconds: number;
}

/** Plants the bug in a copy of the sources, builds it, and runs its trial there. @param args of `npm run chaos`. */
export async function plantedInTeam({ shape, shows, also, ...edit }: TeamBug, args: readonly string[]): Promise<Seen> {
  const folder = mkdtempSync(join(tmpdir(), 'shotlist-bug-'));
  try {
    cpSync(ROOT, folder, { recursive: true, filter: path => !LEFT_OUT.has(basename(path)) });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    for (const { file, from, to } of [edit, ...(also ? [also] : [])]) {
      const text = readFileSync(join(folder, file), 'utf8');
      if (text.split(from).length !== 2) throw new Error(`${file} does not hold this once: ${from}`);
      writeFileSync(
        join(folder, file),
        text.replace(from, () => to),
      );
    }
    await run(process.execPath, ['build.config.ts'], { cwd: folder });
    const began = performance.now();
    const { stdout } = await run(
      process.execPath,
      ['test/chaos/team-chaos.ts', '--shape', shape, '--until', shows, ...args],
      { cwd: folder },
    ).catch((failed: { readonly stdout: string; readonly stderr: string }) => {
      // A trial that found faults ends with 1 and says how long it took; one that could not run has found nothing.
      if (/^duration /m.test(failed.stdout)) return failed;
      throw new Error(`the trial of "${shape}" did not run: ${failed.stderr}`);
    });
    const seconds = (performance.now() - began) / 1_000;
    const faults = [...stdout.matchAll(/^FAULT (.*)$/gm)].map(([, fault = '']) => fault);
    const atDoor = faults.find(fault => new RegExp(shows).test(fault));
    const elsewhere = faults.find(fault => fault !== atDoor && !fault.startsWith('late: '));
    return { atDoor, elsewhere, seconds };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
