/** What a film may come to: hard stops, asked right before every paid call. Every number is for the film as a whole, over all of its runs. */
export interface Budget {
  /** US dollars. */
  readonly usd?: number;
  /** Seconds of video that are made. */
  readonly video_seconds?: number;
  readonly images?: number;
  /** Requests to models, chat among them. */
  readonly generations?: number;
  /** Of chat models, read and written. */
  readonly tokens?: number;
  /** A request whose price nobody knows is refused where a budget is in dollars, unless its author allows it. */
  readonly unpriced?: 'allow';
}

/** What a request comes to, as far as that can be told before it is sent: never too low; null where nobody can tell. */
export interface Demand {
  readonly usd: number | null;
  readonly video_seconds: number | null;
  readonly images: number | null;
  readonly generations: number;
  readonly tokens: number | null;
}
