/**
 * The endpoints that answer when the media is there ("POST /api/ai/videos/generate", "/images/generate", "/images/edit").
 * The document does not show their answers: this one is observed. Images come in the same shape, see `images.ts`.
 */
export interface VideosResponse {
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
  readonly videos: readonly { readonly url: string }[];
}
