/**
 * What is open around a film, and what settles each: requests of unknown outcome, generations that were never downloaded, deployments that
 * bill, bytes that are missing, files that cannot be read. Only looks: nothing is sent but questions.
 */
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { relative } from 'node:path';
import { type HistoryRow, isTerminal } from '../../api/queue.ts';
import type { Service } from '../../api/service.ts';
import type { Project } from '../../machine/files/project.ts';
import { systemClock } from '../../machine/time/clock.ts';
import { type Diagnostic, isError } from '../../model/diagnostic.ts';
import { Refusal } from '../../model/run/decision-page.ts';
import type { GenerationId, InstanceKey } from '../../model/run/key.ts';
import { contentsOf, isStored } from '../../model/run/result.ts';
import { isFree } from '../../model/run/run-money.ts';
import { asTyped } from '../../model/text/clean.ts';
import { actsOutside, isPaid } from '../../plan/kinds/index.ts';
import { isRunning } from '../../records/journal/film-lease.ts';
import { isThere, openJournal } from '../../records/journal/journal-file.ts';
import type { LocalJournal } from '../../records/journal/local-journal.ts';
import { LockFile, lockPath, lockSection, readLockText } from '../../records/lock/lock-file.ts';
import { digestOf as digestOfFile } from '../../records/store/digest.ts';
import { addressIn, isAt, type Submission } from '../../records/views/ledger.ts';
import { isAskedIn, requestOf } from '../choices/attach.ts';
import { openQuestions } from '../choices/film-questions.ts';
import type { Film, OpenedFilm } from '../film/open-film.ts';
import { filmOf, stateFolders } from '../state-folders.ts';
import { contentFiles } from './clean.ts';
import { type Finding, messages } from './doctor-messages.ts';

export interface Examination {
  readonly findings: readonly Finding[];
  /** What is worth knowing and needs nothing done. */
  readonly notes: readonly string[];
}

interface Patient {
  /** As a person typed it. */
  readonly file: string;
  /** The options that choose the service. */
  readonly flags: readonly string[];
  readonly project: Project;
  /** `studio`, or the hosted service's name. */
  readonly serviceName: string;
  /** Absent: the real film. */
  readonly profile?: string | undefined;
  /** Undefined: the built-in studio, which costs nothing and is not woken for this. */
  readonly hosted: Service | undefined;
  /** The most submissions of one request whose answers are lost (`Limits.attempts`). */
  readonly attempts: number;
  /** Plans the film, to be looked at. */
  readonly open: (found: (diagnostics: readonly Diagnostic[]) => void) => Promise<OpenedFilm>;
  /** Checks the digest of every stored file. */
  readonly deep: boolean;
  readonly signal: AbortSignal;
}

export async function examine(patient: Patient): Promise<Examination> {
  const examiner = new Examiner(patient);
  await examiner.disk();
  examiner.lock();
  const journal = examiner.journal();
  try {
    const isLegible = examiner.findings.every(({ is }) => is !== 'lock' && is !== 'journal');
    const film = isLegible ? await examiner.plan() : undefined;
    if (journal) await examiner.requests(journal);
    if (journal) await examiner.deployments(journal);
    if (film) await examiner.orphans(film);
    if (patient.deep) await examiner.store(film);
    await film?.close();
  } finally {
    await journal?.close();
  }
  return examiner;
}

/** Bytes: less than a few films in 1080p. */
const LITTLE_ROOM = 1024 ** 3;

class Examiner implements Examination {
  readonly findings: Finding[] = [];
  readonly notes: string[] = [];
  readonly #patient: Patient;
  readonly #messages: ReturnType<typeof messages>;
  /** The service did not answer, and that is reported. */
  #isSilent = false;

  constructor(patient: Patient) {
    this.#patient = patient;
    this.#messages = messages(patient.file, patient.flags);
  }

  async disk(): Promise<void> {
    const { stateFolder, root } = this.#patient.project;
    const folder = existsSync(stateFolder) ? stateFolder : root;
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < LITTLE_ROOM) this.findings.push(this.#messages.littleRoom(shown(folder), bavail * bsize));
  }

  lock(): void {
    const path = lockPath(this.#patient.project.pipelineFile);
    const aside = path.replace(/(\.yaml)?$/, '.new.yaml');
    if (existsSync(aside)) this.findings.push(this.#messages.lockAside(shown(path), shown(aside)));
    if (!existsSync(path)) return;
    try {
      const section = lockSection(this.#patient.serviceName, this.#patient.profile);
      LockFile.open(readLockText(path, shown(path)), section, shown(path), false);
    } catch (error) {
      this.findings.push(this.#messages.unreadable('lock', shown(path), refusal(error)));
    }
  }

  /** Undefined where nothing was ever run, or it cannot be read. */
  journal(): LocalJournal | undefined {
    const { stateFolder: folder, pipelineFile } = this.#patient.project;
    const film = filmOf(this.#patient.project, this.#patient.profile);
    if (!existsSync(pipelineFile) || !isThere(folder, film)) return undefined;
    try {
      if (isRunning(folder, film)) this.notes.push(this.#messages.running());
    } catch (error) {
      this.findings.push(this.#messages.unreadable('lease', shown(`${folder}/runs/${film}/runner.db`), refusal(error)));
    }
    try {
      return openJournal({ folder, film, clock: systemClock, to: 'look' });
    } catch (error) {
      this.findings.push(this.#messages.unreadable('journal', shown(`${folder}/journal.db`), refusal(error)));
      return undefined;
    }
  }

  /** What the plan shows: missing bytes, acts of unknown outcome. */
  async plan(): Promise<Film | undefined> {
    const mistakes: Diagnostic[] = [];
    const opened = await this.#patient.open(found => mistakes.push(...found.filter(isError)));
    if (opened.is === 'unreachable') this.#silent(opened.message);
    const adopted = mistakes.filter(({ code }) => code === 'adopted-missing');
    for (const { message } of adopted) this.findings.push(this.#messages.adoptedGone(message));
    const others = mistakes.length - adopted.length;
    if (others > 0) this.findings.push(this.#messages.mistakes(others));
    if (opened.is !== 'open') return undefined;
    const { plan, context } = opened.film;
    for (const { key, step, decision, fingerprint } of plan.instances) {
      const isGone = fingerprint !== undefined && context.owned.last(key)?.fingerprint === fingerprint;
      if (decision.is === 'fetch' && decision.store !== undefined) continue;
      if (decision.is === 'fetch') this.findings.push(this.#messages.bytesAtService(key));
      else if (decision.is !== 'run' || fingerprint === undefined) continue;
      else if (actsOutside(step) && context.owned.mayBeDone?.(fingerprint))
        this.findings.push(this.#messages.mayBeDone(key));
      else if (isGone && context.owned.last(key)?.failed !== true && step.cache)
        this.findings.push(
          isPaid(step) && !isFree(plan) ? this.#messages.bytesGone(key) : this.#messages.bytesFree(key),
        );
    }
    for (const { path, asked } of plan.outputs)
      if (asked !== undefined) this.notes.push(this.#messages.renamed(path, asked));
    for (const { key, ask, asking } of openQuestions(opened.film))
      this.findings.push(this.#messages.undecided(key, asking.is, ask));
    return opened.film;
  }

  async requests(journal: LocalJournal): Promise<void> {
    const { hosted } = this.#patient;
    for (const open of journal.views.ledger.open) {
      if (hosted && !isAt(open, hosted))
        this.findings.push(this.#messages.elsewhere(open, addressIn(open.account ?? '')));
      else this.findings.push(await this.#request(open));
    }
    for (const sent of Map.groupBy(journal.views.sent.lost(), ({ fingerprint }) => fingerprint).values()) {
      const last = sent.at(-1);
      if (last && sent.length >= this.#patient.attempts)
        this.findings.push(this.#messages.sentInVain(last, sent.length));
    }
  }

  async #request(open: Submission): Promise<Finding> {
    const { hosted, signal } = this.#patient;
    const { id } = open;
    if (id === undefined)
      return open.url === undefined ? this.#messages.answerLost(open) : this.#messages.notFetched(open);
    if (!hosted || this.#isSilent) return this.#messages.underWay(open, undefined);
    const answer = await hosted.generation(id, signal);
    switch (answer.is) {
      case 'ok':
        return isTerminal(answer.value.status)
          ? this.#messages.ended(open, answer.value.status)
          : this.#messages.underWay(open, answer.value.status);
      case 'absent':
        return this.#messages.lostAtService(open);
      case 'unauthenticated':
      case 'unavailable':
        this.#silent(answer.message);
        return this.#messages.underWay(open, undefined);
    }
  }

  async deployments(journal: LocalJournal): Promise<void> {
    const { hosted, serviceName, signal } = this.#patient;
    for (const model of journal.views.activations(serviceName).keys()) {
      const answer = hosted && !this.#isSilent ? await hosted.model(model, signal, { live: true }) : undefined;
      const status = answer?.is === 'ok' ? answer.value.deployments[0]?.status : undefined;
      this.findings.push(this.#messages.bills(model, status));
    }
  }

  /** At the service, and of no film of this project: one that asks what an instance of this film asks is perhaps its own. */
  async orphans(film: Film): Promise<void> {
    const { hosted, signal } = this.#patient;
    if (!hosted || this.#isSilent) return;
    const rows = await hosted.history(signal);
    if (rows.is === 'absent') return void this.notes.push(this.#messages.noHistory());
    if (rows.is !== 'ok') return this.#silent(rows.message);
    const claimed = await film.journal.views.sent.claimedAmong(
      rows.value.map(row => row.generation_id),
      hosted.account,
    );
    const unclaimed = rows.value.filter(
      row => !claimed.has(row.generation_id) && row.status !== 'failed' && row.status !== 'cancelled',
    );
    const owned = ownedGenerations(film);
    const left = unclaimed.filter(({ generation_id: id }) => !owned.has(id as GenerationId));
    const others = left.filter(row => !this.#belongs(row, film, hosted));
    if (others.length > 0) this.notes.push(this.#messages.others(others.length));
  }

  /** Checks every file of the store, which holds the results of all films of the project. */
  async store(film: Film | undefined): Promise<void> {
    const { project, profile, signal } = this.#patient;
    const folder = film?.keptIn ?? (await stateFolders(project, profile)).store;
    const files = await contentFiles(folder);
    const keys = new Map<string, InstanceKey>();
    for (const { key, decision } of film?.plan.instances ?? [])
      if ('result' in decision && isStored(decision.result))
        for (const { sha256 } of contentsOf(decision.result)) keys.set(sha256, key);
    let damaged = 0;
    for (const { path, digest } of files) {
      signal.throwIfAborted();
      if ((await digestOfFile(path)).sha256 === digest) continue;
      damaged += 1;
      this.findings.push(this.#messages.damaged(shown(path), keys.get(digest)));
    }
    this.notes.push(this.#messages.readWhole(files.length, damaged));
  }

  #belongs(row: HistoryRow, film: Film, service: Service): boolean {
    for (const { key, decision } of film.plan.instances) {
      if (decision.is !== 'run') continue;
      const request = requestOf(film, key);
      if (typeof request === 'string' || !isAskedIn(row, request, service)) continue;
      this.findings.push(this.#messages.orphan(row.generation_id, key, row.status));
      return true;
    }
    return false;
  }

  #silent(message: string): void {
    if (!this.#isSilent) this.findings.push(this.#messages.silent(message));
    this.#isSilent = true;
  }
}

/** A generation that the lock knows of another machine's run is no orphan. */
function ownedGenerations({ plan }: Film): ReadonlySet<GenerationId> {
  const ids = new Set<GenerationId>();
  for (const { decision } of plan.instances)
    if ('result' in decision && decision.result.is === 'media' && decision.result.generation_id !== null)
      ids.add(decision.result.generation_id);
  return ids;
}

/** @throws what is no refusal: it is a bug, or the machine's. */
function refusal(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  throw error;
}

const shown = (path: string): string => asTyped(relative('', path) || '.');
