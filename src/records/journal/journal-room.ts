/**
 * Room on the disk for the answers of requests that are being sent, so that a full disk loses no id of an accepted request.
 *
 * The room is allocated at the end of SQLite's write-ahead log, behind its last frame: SQLite writes its next frames there, and reads
 * nothing that lacks the log's salt (https://www.sqlite.org/walformat.html). No other program can take that room, and SQLite gives it back
 * with the log when the last process closes the journal. A file system that never overwrites in place (ZFS, APFS) may still refuse a
 * write there. A full btrfs ends the process with SIGBUS before that: SQLite maps the index of its log into memory.
 */
import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { codeOf } from '../../machine/error-code.ts';
import { statementsOf } from '../../machine/files/database.ts';
import { errorCodeText } from '../../machine/files/disk-error.ts';
import { JournalFailed } from './journal.ts';

/** Bytes of the log's header, and of the header of each frame, which holds one page. */
const LOG_HEADER = 32;
const FRAME_HEADER = 24;
/** Pages that one row changes, apart from the pages of its text: a leaf of its table and of each index. */
const PAGES_PER_ROW = 8;
/** An answer is an event, and changes a submission. In a journal of 3,000 submissions, answers took 11.5 pages on average. */
const PAGES_PER_ANSWER = 2 * PAGES_PER_ROW;
/** Pages for the text of a call's answer, which is the result itself. */
const PAGES_PER_TEXT = 32;
/** Pages for those branches of tables and indexes that split on the way. */
const SPARE_PAGES = 32;
/** 64 MiB, for some thousand requests without an id: answers that come together share pages. */
const MAX_PAGES = 16_384;
/** Bytes allocated at once where the disk has them, so that few transactions allocate. */
const CHUNK = 256 * 1024;

/** Rows that a transaction has written, and the bytes of their texts. */
interface Written {
  readonly rows: number;
  readonly bytes: number;
}

export class JournalRoom {
  readonly #sql: (text: string) => StatementSync;
  readonly #path: string;
  #log: number | undefined;

  constructor(database: DatabaseSync, path: string) {
    this.#sql = statementsOf(database);
    this.#path = path;
  }

  /**
   * Allocates what is missing for this transaction and for the answers of all requests without an id, of all films. Within a write
   * transaction, when all is written: no other process appends to the log meanwhile.
   * @param written what this transaction has written.
   * @throws JournalFailed with how much is missing and where; nothing is allocated then. Other errors of the disk as they are.
   */
  ensure({ rows, bytes }: Written): void {
    const answers = this.#pagesForAnswers();
    if (answers === 0) return;
    this.#log ??= openSync(`${this.#path}-wal`, 'r+');
    const log = this.#log;
    const [page, all] = [this.#pragma('page_size'), this.#pragma('page_count')];
    const { size } = fstatSync(log);
    const changed = Math.min(rows * PAGES_PER_ROW, all) + Math.ceil((2 * bytes) / page);
    const needed = endOfFrames(log, size, page) + (answers + changed) * (FRAME_HEADER + page);
    if (needed <= size) return;
    try {
      allocate(log, size, Math.max(needed, size + CHUNK));
    } catch {
      this.#allocateExactly(log, size, needed);
    }
  }

  close(): void {
    if (this.#log !== undefined) closeSync(this.#log);
    this.#log = undefined;
  }

  #allocateExactly(log: number, from: number, to: number): void {
    try {
      allocate(log, from, to);
    } catch (error) {
      const code = codeOf(error);
      if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
      const missing = Math.ceil((to - from) / 1024);
      throw new JournalFailed(
        `${errorCodeText(code)?.what}: the journal at ${this.#path} needs ${missing} kB more for the ids of requests under way, so nothing more is sent; make room, then run again`,
      );
    }
  }

  /** Pages of the answers that are still to come. */
  #pagesForAnswers(): number {
    const row = this.#sql(
      `SELECT count(*) AS n, total(octet_length(body)) AS bytes, total(instr(body, '"via":') > 0) AS calls
       FROM submission INDEXED BY submission_open WHERE state <> 'closed' AND generation_id IS NULL`,
    ).get();
    const [n, bytes, calls] = [Number(row?.n), Number(row?.bytes), Number(row?.calls)];
    if (n === 0) return 0;
    // The row is written anew with its id, and its old pages are kept in a list.
    const texts = Math.ceil((2 * bytes) / this.#pragma('page_size'));
    return Math.min(MAX_PAGES, SPARE_PAGES + n * PAGES_PER_ANSWER + calls * PAGES_PER_TEXT + texts);
  }

  #pragma(name: 'page_size' | 'page_count'): number {
    return Number(this.#sql(`PRAGMA ${name}`).get()?.[name]);
  }
}

/** Zeros that are on the disk when it returns. Where they do not fit, the file is as before. */
function allocate(file: number, from: number, to: number): void {
  try {
    const zeros = Buffer.alloc(Math.min(CHUNK, to - from));
    for (let at = from; at < to; ) at += writeSync(file, zeros, 0, Math.min(zeros.length, to - at), at);
    fdatasyncSync(file);
  } catch (error) {
    ftruncateSync(file, from);
    throw error;
  }
}

/** Returns where the log's valid frames end, in bytes: they have the salt of its header. Older frames, or zeros, follow. */
function endOfFrames(log: number, size: number, page: number): number {
  // Zeros where the log has none yet.
  const salts = (at: number): string => {
    const bytes = Buffer.alloc(8);
    readSync(log, bytes, 0, bytes.length, at);
    return bytes.toString('hex');
  };
  const frame = FRAME_HEADER + page;
  const salt = salts(16);
  if (/^0*$/.test(salt)) return LOG_HEADER;
  let [known, above] = [0, Math.max(0, Math.floor((size - LOG_HEADER) / frame)) + 1];
  while (above - known > 1) {
    const middle = Math.floor((known + above) / 2);
    if (salts(LOG_HEADER + (middle - 1) * frame + 8) === salt) known = middle;
    else above = middle;
  }
  return LOG_HEADER + known * frame;
}
