/** Whether a path leaves the folder that it is relative to, or names none of its files: `../a`, `/a`, `C:a`, `~/a`, `a/`, `.`. */
export const leavesFolder = (path: string): boolean =>
  /^([/\\~]|[A-Za-z]:)/.test(path) ||
  /[/\\]$/.test(path) ||
  path.split(/[/\\]/).some(part => part === '..' || part === '.') ||
  path.trim() === '';
