/** Everybody on this machine can read a command line, and a param may be a secret: from now on this process is called by its file alone. */
export function leaveParamsOutOfTitle(command: string, file: string, params: readonly string[]): void {
  if (params.length > 0) process.title = `shotlist ${command} ${file}`;
}
