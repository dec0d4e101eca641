/** What the data of pages is made of: one JSON block of the document, read as text. */

/** Where a medium lies beside the page. Addresses are relative to the page, or `data:`. */
export interface MediaPlace {
  /** Null: it does not lie beside the page. */
  readonly file: string | null;
  /** A still of it, at most 640 pixels wide. */
  readonly poster: string | null;
  /** The same in H.264, for browsers that lack the codec of the file. */
  readonly proxy: string | null;
}

/** A large block is compressed: the same JSON, gzip, base64. */
export interface PackedData {
  readonly gzip: string;
}
