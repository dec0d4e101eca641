/** A team's results: what one machine paid for, all have. Its form over a bucket or a folder is `artifacts/shared/`. */
export interface Sharing {
  /** As a person would name it: `s3://films/results`. */
  readonly to: string;
  /** Into the store of this machine, under the digest that was taken of it here. */
  bring(sha256: string, signal: AbortSignal): Promise<BroughtHere>;
  /** In the background: it holds nothing up and fails nothing. */
  share(content: { readonly sha256: string; readonly extension: string }): void;
}

export type BroughtHere =
  | { readonly is: 'ok' | 'missing' | 'stopped' }
  /** It may be there, and cannot be had now. */
  | { readonly is: 'failed'; readonly message: string };
