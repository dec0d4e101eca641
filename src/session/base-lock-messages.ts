/** What is said of a base that a plan cannot be held against. */
export const messages = {
  noFile: (path: string) =>
    `--base ${path}: there is no such file; write \`git show main:film.lock.yaml > base.lock.yaml\` first, say`,
  noGit: () => '--base asks git, which is not here; bring the lock of the base yourself, with --base FILE',
  noRef: (ref: string) =>
    `--base ${ref}: git knows no such branch or commit here; fetch it first, \`git fetch --depth=1 origin ${ref.replace(/^origin\//, '')}\` say, and name it as git does`,
  unreadable: (ref: string, why: string) => `--base ${ref}: git cannot read the lock there: ${why}`,
} as const;
