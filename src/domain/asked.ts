/**
 * What an instance asks for, field by field, as it is kept to tell later why something is made again: `prompt`, `input_images[0]`,
 * `env.LOOK`. Media stands as its digest, and nothing of it is secret: it is what a reader of a plan is shown.
 */
export type Asked = Readonly<Record<string, AskedValue>>;
export type AskedValue = null | boolean | number | string;
