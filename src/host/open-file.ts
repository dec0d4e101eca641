/** Shows a file with the program that the system has for it. */
import { platform } from 'node:os';
import { runSmallProgram } from './small-program.ts';

/** Milliseconds: a viewer that is still there by then is showing it. */
const PATIENCE = 2_000;

/** @returns what is the matter, as a sentence; undefined where it is opened. */
export async function openFile(
  path: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const program = platform() === 'darwin' ? 'open' : platform() === 'win32' ? 'explorer.exe' : 'xdg-open';
  const end = await runSmallProgram({ argv: [program, path], environment, patience: PATIENCE });
  switch (end.is) {
    case 'waited_enough':
      return undefined;
    case 'not_started':
      return end.code === 'ENOENT'
        ? `${program} is not there; open the file yourself`
        : `${program} could not be started (${end.code}); open the file yourself`;
    case 'ended':
      // The one of Windows says 1 whatever it has done.
      return end.status === 0 || program === 'explorer.exe'
        ? undefined
        : `${program} could not show it; open the file yourself`;
  }
}
