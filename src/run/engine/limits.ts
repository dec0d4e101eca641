/** How much a run does at once, and how often it tries what was surely not taken. */

export interface Limits {
  /** Generations at the service at once, queued ones included: submitting ahead hides the round trip. */
  readonly in_flight: number;
  readonly per_model: number;
  /**
   * POSTs started in any one second. Absent: as many as `in_flight` leaves room for. The interface document names no rate, and a service that
   * is asked too often answers 429, which slows the run down (`requests/request-pace.ts`).
   */
  readonly submits_per_second?: number;
  /** How often a request is sent in its life when its answers are lost and it provably never arrived. */
  readonly attempts: number;
  readonly commands: number;
  readonly downloads: number;
}

export const DEFAULT_LIMITS: Limits = {
  in_flight: 32,
  per_model: 32,
  attempts: 3,
  commands: 8,
  downloads: 6,
};
