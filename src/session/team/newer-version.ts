/** Whether a run was handed in by a version whose runs this one does not know: of a newer major one, or before the first, of a newer minor one. */
export function newerVersion(theirs: string, ours: string): boolean {
  const [theirMajor, theirMinor] = numbersOf(theirs);
  const [major, minor] = numbersOf(ours);
  if (theirMajor !== major) return theirMajor > major;
  return major === 0 && theirMinor > minor;
}

function numbersOf(version: string): readonly [major: number, minor: number] {
  const [, major = '0', minor = '0'] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  return [Number(major), Number(minor)];
}
