/** A service of the user's own that chat is passed on to. */
export interface ChatUpstream {
  /** `http://127.0.0.1:11434/v1`: `/chat/completions` is appended. */
  readonly url: string;
  readonly key?: string | undefined;
  /** Its own name for the model; default: the label of the request. */
  readonly model?: string | undefined;
}
