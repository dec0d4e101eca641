/** Whether a browser that is started here would be seen by whoever sits at this terminal. */
import { platform } from 'node:os';

export function hasDesktop(environment: Readonly<Record<string, string | undefined>>): boolean {
  if ('CI' in environment || environment.SSH_CONNECTION !== undefined || environment.SSH_TTY !== undefined)
    return false;
  if (platform() === 'darwin' || platform() === 'win32') return true;
  return Boolean(environment.DISPLAY) || Boolean(environment.WAYLAND_DISPLAY);
}
