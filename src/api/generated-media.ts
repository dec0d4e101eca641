/**
 * Answers of the endpoints that answer when the media is there ("POST /api/ai/videos/generate", "/images/generate", "/images/edit").
 * The document does not show them: both are observed.
 */
export interface VideosResponse {
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
  readonly videos: readonly { readonly url: string }[];
}

export interface ImagesResponse {
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
  readonly images: readonly { readonly url: string; readonly revised_prompt?: string }[];
}
