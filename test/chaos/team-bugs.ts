/**
 * Bugs in what a team does about money, for `npm run chaos -- --team --plants`: each is planted in a copy of the sources, a team is put under fire,
 * and the checker, which sees the service's door alone, has to find it.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';

export interface TeamBug {
  readonly name: string;
  readonly file: string;
  /** Stands once in the file. */
  readonly from: string;
  readonly to: string;
}

export const TEAM_BUGS: readonly TeamBug[] = [
  {
    name: 'two leads are admitted at once',
    file: 'src/cluster/database/migrations.ts',
    from: "IF (p ->> 'waits')::boolean THEN",
    to: 'IF false THEN',
  },
  {
    name: 'a lead that was superseded goes on',
    file: 'src/cluster/database/migrations.ts',
    from: 'SELECT coalesce((SELECT epoch = p_epoch FROM film',
    to: 'SELECT coalesce((SELECT true FROM film',
  },
  {
    name: 'a request whose answer was lost takes no place',
    file: 'src/run/admission/under-way.ts',
    from: '> now - LONGEST_GENERATION) return true;',
    to: "> now - LONGEST_GENERATION) return state !== 'unknown';",
  },
  {
    name: 'the rate of the key counts a tenth of a second',
    file: 'src/cluster/database/migrations.ts',
    from: 'answered_at > v_now - 1000 AND',
    to: 'answered_at > v_now - 100 AND',
  },
  {
    name: 'the limit of a model is not asked for',
    file: 'src/run/admission/places.ts',
    from: 'least(limits.per_model, allowed?.models[model])',
    to: 'limits.per_model',
  },
  {
    name: 'what other films have in flight is not counted',
    file: 'src/run/admission/places.ts',
    from: '- sum(mine) - sum(theirs);',
    to: '- sum(mine);',
  },
  {
    name: 'a budget stops nothing',
    file: 'src/run/admission/journal-budgets.ts',
    from: 'if (stop) return stop;',
    to: 'if (stop) return undefined;',
  },
  {
    name: 'what the lead before sent is not taken up',
    file: 'src/run/admission/journal-admission.ts',
    from: 'return this.#options.journal.ledger.open.filter(',
    to: 'return this.#options.journal.ledger.open.slice(0, 0).filter(',
  },
  {
    name: 'what another film asks for at the moment is not seen',
    file: 'src/run/admission/journal-admission.ts',
    from: 'const theirs = shared ? journal.openElsewhere(fingerprint, account) : undefined;',
    to: 'const theirs: ReturnType<typeof journal.openElsewhere> = undefined;',
  },
  {
    name: 'a worker that leaves ends its deployments',
    file: 'src/session/team/lead-run.ts',
    from: "is === 'interrupted' ? signal.aborted :",
    to: "is === 'interrupted' ? false :",
  },
];

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const LEFT_OUT = new Set(['node_modules', 'dist', 'out', '.git', '.shotlist']);
const AT_DOOR = /^(double|limit|rate|budget|deployment): /;

export interface Seen {
  readonly bug: string;
  /** What the checker found first; undefined: nothing. */
  readonly atDoor: string | undefined;
  /** What tables, outputs and runs showed. Late takeovers are none of it: a slow machine has those too. */
  readonly elsewhere: string | undefined;
}

/** @param args of `npm run chaos`, for each of the trials. */
export async function* plantedInTeam(bugs: readonly TeamBug[], args: readonly string[]): AsyncGenerator<Seen> {
  for (const bug of bugs) {
    const folder = mkdtempSync(join(tmpdir(), 'shotlist-bug-'));
    try {
      cpSync(ROOT, folder, { recursive: true, filter: path => !LEFT_OUT.has(basename(path)) });
      symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
      const file = join(folder, bug.file);
      writeFileSync(
        file,
        readFileSync(file, 'utf8').replace(bug.from, () => bug.to),
      );
      await run(process.execPath, ['build.config.ts'], { cwd: folder });
      const said = await run(process.execPath, ['test/chaos/team-chaos.ts', ...args], { cwd: folder }).catch(
        (failed: { readonly stdout: string }) => failed,
      );
      const faults = [...said.stdout.matchAll(/^FAULT (.*)$/gm)].map(([, fault = '']) => fault);
      const elsewhere = faults.find(fault => !AT_DOOR.test(fault) && !fault.startsWith('late: '));
      yield { bug: bug.name, atDoor: faults.find(fault => AT_DOOR.test(fault)), elsewhere };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
