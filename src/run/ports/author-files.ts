/**
 * The author's own files while a run goes on. Planning has read them, and minutes or days pass until one is sent: what is paid for must be
 * made of what was planned. A port, because a run knows no disk.
 */
export interface AuthorFiles {
  /** Reads the files that were asked for by name and are not known yet; true where there were any. */
  load(): Promise<boolean>;
  /** `has changed`, `is gone`: what became of a file since it was read; undefined where its content is what it was. */
  changed(path: string): Promise<string | undefined>;
}
