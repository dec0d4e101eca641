/** The lock of a film as another branch has it: asked of git, or read from a file that a person names. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type CommandOutcome, CommandRunner } from '../../machine/process/command-runner.ts';
import { Refusal } from '../../model/run/decision-page.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { LockFile, readLockText } from '../../records/lock/lock-file.ts';
import type { BaseLock } from '../../show/plan/plan-markdown.ts';

export type Base = { readonly ref: string } | { readonly lock: string };

interface BaseOf {
  /** The film's own lock. */
  readonly lockPath: string;
  /** Which part of a lock is this film's. */
  readonly section: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** @throws Refusal where there is no such branch or file, or it holds no lock. */
export async function baseLock(base: Base, { lockPath, section, environment }: BaseOf): Promise<BaseLock> {
  const name = 'ref' in base ? base.ref : base.lock;
  const text =
    'ref' in base ? await lockAt(base.ref, lockPath, environment) : (readLockText(base.lock, base.lock) ?? null);
  if (text === null && 'lock' in base) throw new Refusal(messages.noFile(base.lock));
  const lock = LockFile.open(text ?? undefined, section, name, false);
  const fingerprints = new Map<InstanceKey, string>();
  for (const [fingerprint, keys] of lock.keysByFingerprint())
    for (const key of keys) fingerprints.set(key, fingerprint);
  return { name, isThere: text !== null, fingerprints };
}

/** Milliseconds: git reads its own disk. */
const PATIENCE = 60_000;

/** Null where the branch has no such file. */
async function lockAt(ref: string, lockPath: string, environment: BaseOf['environment']): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'shotlist-'));
  const copy = join(folder, 'base.lock.yaml');
  const commands = new CommandRunner({ environment });
  const git = (args: readonly string[], stdoutPath?: string): Promise<CommandOutcome> =>
    commands.run(
      { argv: ['git', ...args] },
      {
        ...{ cwd: dirname(lockPath), env: {}, signal: new AbortController().signal, timeoutMs: PATIENCE },
        ...(stdoutPath !== undefined && { stdoutPath }),
      },
    );
  try {
    const found = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
    const commit = found.stdout.trim();
    if (found.exit === 127 || found.exit === null) throw new Refusal(messages.noGit());
    if (found.exit !== 0 || !/^[\da-f]{40,64}$/.test(commit)) throw new Refusal(messages.noRef(ref));
    const at = `${commit}:./${basename(lockPath)}`;
    if ((await git(['cat-file', '-e', at])).exit !== 0) return null;
    const shown = await git(['show', at], copy);
    if (shown.exit !== 0) throw new Refusal(messages.unreadable(ref, shown.stderr.trim().split('\n').at(-1) ?? ''));
    return readLockText(copy, at) ?? null;
  } finally {
    await commands.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Messages about a base that a plan cannot be compared with. */
const messages = {
  noFile: (path: string) =>
    `--base ${path}: there is no such file; write \`git show main:film.lock.yaml > base.lock.yaml\` first, say`,
  noGit: () => '--base asks git, which is not here; bring the lock of the base yourself, with --base FILE',
  noRef: (ref: string) =>
    `--base ${ref}: git knows no such branch or commit here; fetch it first, \`git fetch --depth=1 origin ${ref.replace(/^origin\//, '')}\` say, and name it as git does`,
  unreadable: (ref: string, why: string) => `--base ${ref}: git cannot read the lock there: ${why}`,
} as const;
