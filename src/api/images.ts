/** Answer of "POST /api/ai/images/generate" and "/images/edit": not shown in the document, observed. */
export interface ImagesResponse {
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
  readonly images: readonly { readonly url: string; readonly revised_prompt?: string }[];
}
