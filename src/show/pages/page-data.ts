/** What a page is drawn from: a run, and where its media lie beside the page. One JSON block of the document, read as text. */
import type { RunReport } from '../../model/run/run-report.ts';

export interface PageData {
  readonly report: RunReport;
  /** By digest; of media that is not named here nothing can be shown. */
  readonly media: Readonly<Record<string, MediaPlace>>;
}

/** Addresses are relative to the page, or `data:`. */
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
