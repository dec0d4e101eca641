/**
 * A ComfyUI graph → steps. It is read backwards from what it saves: a sampler is one request, its conditioning is the prompt, and the origin
 * of its latent gives the kind: an empty one makes a picture or a film of words, an encoded one edits a picture. Weights, samplers
 * and schedulers have no place at a service; each is reported.
 */
import type { Json } from '../../model/text/json.ts';
import { type ComfyGraph, type ComfyNode, type Frames, nodeName, requestOf } from './comfy-graph.ts';
import { isPartner, KNOWN, NOTES, PASSES, partnerOf, partnerRequest, SAMPLERS, SAVES } from './comfy-nodes.ts';
import {
  carried,
  type Imported,
  type ImportedOutput,
  type ImportedStep,
  type ImportedValue,
  literal,
  MAX_CHAIN,
  outputFile,
  shownName,
  stepName,
  wordIn,
} from './imported.ts';

/** What comes out of a node, as far as a service knows such a thing. */
type Flow =
  | { readonly is: 'media'; readonly value: ImportedValue; readonly kind: 'image' | 'video' }
  | {
      readonly is: 'text';
      readonly parts: readonly ImportedValue[];
      readonly start?: ImportedValue | undefined;
      readonly end?: ImportedValue | undefined;
      readonly frames?: Frames | undefined;
    }
  | {
      readonly is: 'latent';
      readonly of: 'nothing' | 'media';
      readonly frames: Frames;
      readonly media?: ImportedValue | undefined;
    }
  | { readonly is: 'value'; readonly value: Json }
  | { readonly is: 'none' };

const NONE: Flow = { is: 'none' };

export function importComfy(graph: ComfyGraph, name: string): Imported {
  const reader = new Reader(graph);
  reader.read();
  const { steps, outputs, left, files } = reader;
  return { name, from: 'ComfyUI', params: [], steps, outputs, left: [...graph.left, ...left], files: [...files] };
}

class Reader {
  readonly steps: ImportedStep[] = [];
  readonly outputs: ImportedOutput[] = [];
  readonly left: string[] = [];
  readonly files = new Set<string>();
  readonly #graph: ComfyGraph;
  readonly #flows = new Map<string, Flow>();
  readonly #open = new Set<string>();
  readonly #reported = new Set<string>();

  constructor(graph: ComfyGraph) {
    this.#graph = graph;
  }

  read(): void {
    const nodes = [...this.#graph.nodes.values()];
    for (const node of nodes)
      if (SAVES.has(node.type) || (isUnknown(node) && 'filename_prefix' in node.inputs)) this.#save(node);
    // Samplers without a saved result are steps as well.
    for (const node of nodes) if (SAMPLERS.has(node.type) || isPartner(node.type)) this.#flow(node.id, 0);
    for (const node of nodes)
      if (isUnknown(node)) this.#report(node, this.#passed(node).is === 'none' ? UNKNOWN : PASSED);
    for (const node of nodes) {
      const text = this.#value(node, 'text');
      if (NOTES.has(node.type) && typeof text === 'string')
        this.left.push(`${nodeName(node)} says: ${text.replace(/\s+/g, ' ').slice(0, 200)}`);
    }
  }

  #save(node: ComfyNode): void {
    const input = SAVES.get(node.type);
    const flow = input === undefined ? this.#passed(node) : this.#input(node, input);
    if (flow.is !== 'media' || flow.value.is !== 'result') {
      this.#report(node, 'nothing that we make arrives there: no output');
      return;
    }
    const { step } = flow.value;
    if (this.outputs.some(({ from }) => from === step)) return;
    const prefix = wordIn(this.#value(node, 'filename_prefix') ?? step).replace(/%[^%]*%/g, '');
    const file = prefix.replace(/[^\w-]+/g, '-').replace(/^-+|-+$/g, '') || step;
    const taken = new Set(this.outputs.map(({ to }) => to.replace(/\{take\}|-|\.\w+$/g, '')));
    const unique = taken.has(`out/${file}`.replaceAll('-', '')) ? `${file}-${step}` : file;
    const names = new Set(this.outputs.map(one => one.name));
    const to = outputFile(
      unique,
      this.steps.find(one => one.name === step),
    );
    this.outputs.push({ name: stepName(file, names), from: step, to });
  }

  #input(node: ComfyNode, name: string): Flow {
    const input = node.inputs[name];
    if (input === undefined) return NONE;
    return input.is === 'value' ? { is: 'value', value: input.value } : this.#flow(input.from, input.slot);
  }

  /** A value of the node, or of a primitive that it links to. */
  #value(node: ComfyNode, name: string): Json | undefined {
    const flow = this.#input(node, name);
    return flow.is === 'value' ? flow.value : undefined;
  }

  #number(node: ComfyNode, name: string): number | undefined {
    const value = this.#value(node, name);
    return typeof value === 'number' ? value : undefined;
  }

  #flow(id: string, slot: number): Flow {
    const node = this.#graph.nodes.get(id);
    // All that a request gives is one result.
    const at = node && (SAMPLERS.has(node.type) || isPartner(node.type)) ? id : `${id}/${slot}`;
    const known = this.#flows.get(at);
    if (known) return known;
    if (node === undefined || this.#open.has(at) || this.#open.size >= MAX_CHAIN) return NONE;
    this.#open.add(at);
    const flow = this.#read(node, slot);
    this.#open.delete(at);
    this.#flows.set(at, flow);
    return flow;
  }

  #read(node: ComfyNode, slot: number): Flow {
    if (SAMPLERS.has(node.type)) return this.#sampled(node);
    if (isPartner(node.type)) return this.#asked(node);
    const passed = PASSES.get(node.type);
    if (passed !== undefined) {
      if (passed.lost !== undefined) this.#report(node, passed.lost);
      return this.#input(node, passed.input);
    }
    switch (node.type) {
      case 'Reroute': {
        const [first] = Object.keys(node.inputs).filter(name => node.inputs[name]?.is === 'link');
        return first === undefined ? NONE : this.#input(node, first);
      }
      case 'CLIPTextEncode':
        return this.#text(node, 'text');
      case 'CLIPTextEncodeFlux':
        return this.#text(node, 't5xxl');
      case 'CLIPTextEncodeSDXL':
        return this.#text(node, 'text_g');
      case 'ConditioningCombine':
        return this.#joined(node, 'conditioning_1', 'conditioning_2');
      case 'ConditioningConcat':
        return this.#joined(node, 'conditioning_to', 'conditioning_from');
      case 'ConditioningZeroOut':
        return { is: 'text', parts: [] };
      case 'EmptyLatentImage':
      case 'EmptySD3LatentImage':
        return { is: 'latent', of: 'nothing', frames: this.#frames(node) };
      case 'EmptyHunyuanLatentVideo':
      case 'EmptyLTXVLatentVideo':
      case 'EmptyMochiLatentVideo':
        return { is: 'latent', of: 'nothing', frames: { length: 1, ...this.#frames(node) } };
      case 'VAEEncode':
      case 'VAEEncodeForInpaint': {
        const flow = this.#input(node, 'pixels');
        if (node.type === 'VAEEncodeForInpaint')
          this.#report(node, 'its mask is not carried over: say in the prompt what is to change');
        return { is: 'latent', of: 'media', frames: {}, media: flow.is === 'media' ? flow.value : undefined };
      }
      case 'WanImageToVideo':
      case 'HunyuanImageToVideo':
      case 'LTXVImgToVideo':
      case 'SVD_img2vid_Conditioning':
        return this.#started(node, slot);
      case 'LoadImage':
        return this.#loaded(node, 'image', 'image');
      case 'LoadVideo':
        return this.#loaded(node, 'file', 'video');
      case 'ImageUpscaleWithModel':
        return this.#upscaled(node);
      case 'PrimitiveNode':
      case 'PrimitiveString':
      case 'PrimitiveStringMultiline':
      case 'PrimitiveInt':
      case 'PrimitiveFloat':
        return this.#input(node, 'value');
      default:
        return KNOWN.has(node.type) ? NONE : this.#passed(node);
    }
  }

  /** What a node that we do not know hands on: the first picture or film that arrives, or else the first text. */
  #passed(node: ComfyNode): Flow {
    const flows = Object.keys(node.inputs).map(name => this.#input(node, name));
    return flows.find(({ is }) => is === 'media') ?? flows.find(({ is }) => is === 'text') ?? NONE;
  }

  #asked(node: ComfyNode): Flow {
    const inputs = new Map<string, ImportedValue>();
    for (const [name, input] of Object.entries(node.inputs)) {
      const value = valueIn(this.#input(node, name));
      if (value) inputs.set(name, value);
      else if (input.is === 'link') this.#report(node, `what arrives at \`${shownName(name)}\` is not carried over`);
    }
    const partner = partnerOf(node.type, inputs);
    if (partner === undefined) {
      this.#report(node, 'no model here does that: what arrives there goes on as it is');
      return this.#passed(node);
    }
    const { fields, left } = partnerRequest(partner, inputs);
    for (const line of left) this.#report(node, line);
    return this.#step(node, partner.label, fields, partner.makes);
  }

  #text(node: ComfyNode, name: string): Flow {
    const flow = this.#input(node, name);
    return flow.is === 'value' && typeof flow.value === 'string'
      ? { is: 'text', parts: [literal(flow.value)] }
      : { is: 'text', parts: [] };
  }

  #joined(node: ComfyNode, ...names: readonly string[]): Flow {
    const flows = names.map(name => this.#input(node, name)).filter(flow => flow.is === 'text');
    this.#report(node, 'two prompts became one, joined by a comma');
    return { is: 'text', parts: flows.flatMap(({ parts }) => parts) };
  }

  #frames(node: ComfyNode): Frames {
    const [width, height, batch] = ['width', 'height', 'batch_size'].map(name => this.#number(node, name));
    const length = this.#number(node, 'length') ?? this.#number(node, 'video_frames');
    return { width, height, batch, ...(length !== undefined && { length }) };
  }

  /** A node that takes conditioning and a first picture, and gives conditioning and a latent. */
  #started(node: ComfyNode, slot: number): Flow {
    const image = [this.#input(node, 'start_image'), this.#input(node, 'init_image'), this.#input(node, 'image')].find(
      flow => flow.is === 'media',
    );
    const frames = { length: 1, ...this.#frames(node) };
    const start = image?.is === 'media' ? image.value : undefined;
    const LATENT_SLOT = node.type === 'HunyuanImageToVideo' ? 1 : 2;
    if (slot === LATENT_SLOT) return { is: 'latent', of: 'nothing', frames };
    const text = this.#input(node, slot === 1 ? 'negative' : 'positive');
    return { is: 'text', parts: text.is === 'text' ? text.parts : [], start, frames };
  }

  #loaded(node: ComfyNode, name: string, kind: 'image' | 'video'): Flow {
    const file = this.#value(node, name);
    if (typeof file !== 'string' || file === '') return NONE;
    // `fox.png [input]`: which of ComfyUI's folders it is in.
    const path = `media/${
      file
        .replace(/ \[\w+\]$/, '')
        .replace(/\\/g, '/')
        .split('/')
        .at(-1) ?? file
    }`;
    this.files.add(path);
    return { is: 'media', kind, value: { is: 'file', path } };
  }

  #upscaled(node: ComfyNode): Flow {
    const flow = this.#input(node, 'image');
    if (flow.is !== 'media') return NONE;
    if (flow.kind === 'image') {
      this.#report(node, 'no model here makes a still larger: it stays as it is');
      return flow;
    }
    const { fields, left } = carried('V-UP', { input_video: flow.value, resolution: literal('1080p') });
    for (const line of left) this.#report(node, line);
    return this.#step(node, 'V-UP', fields, 'video');
  }

  #sampled(node: ComfyNode): Flow {
    const guider = this.#linked(node, 'guider');
    const conditioned = guider ?? node;
    const positive = this.#first(conditioned, ['positive', 'conditioning']);
    const negative = this.#input(conditioned, 'negative');
    const latent = this.#input(node, 'latent_image');
    const noise = this.#linked(node, 'noise') ?? node;
    const sigmas = this.#linked(node, 'sigmas') ?? node;
    const sampler = this.#value(node, 'sampler_name');
    const { model, kind, fields, batch, left } = requestOf({
      prompt: positive.is === 'text' ? positive.parts : [],
      negative: negative.is === 'text' ? negative.parts[0] : undefined,
      start: positive.is === 'text' ? positive.start : undefined,
      source: latent.is === 'latent' && latent.of === 'media' ? latent.media : undefined,
      frames: {
        ...(positive.is === 'text' ? positive.frames : undefined),
        ...(latent.is === 'latent' ? latent.frames : {}),
      },
      seed: this.#number(noise, 'seed') ?? this.#number(noise, 'noise_seed'),
      steps: this.#number(sigmas, 'steps'),
      denoise: this.#number(sigmas, 'denoise'),
      cfg: this.#number(conditioned, 'cfg'),
      sampler: sampler === undefined ? undefined : wordIn(sampler),
      scheduler: wordIn(this.#value(node, 'scheduler') ?? ''),
    });
    for (const line of left) this.#report(node, line);
    this.#reportWeights(conditioned, model);
    return this.#step(node, model, fields, kind, batch);
  }

  /** Reports its weights, and the model that replaces them. */
  #reportWeights(node: ComfyNode, label: string): void {
    for (let link = node.inputs.model, hops = 0; link?.is === 'link' && hops < 50; hops++) {
      const from = this.#graph.nodes.get(link.from);
      if (from === undefined) return;
      const file = this.#value(from, 'ckpt_name') ?? this.#value(from, 'unet_name');
      if (file !== undefined) this.#report(from, `${wordIn(file)}: ${label} replaces it`);
      const lora = this.#value(from, 'lora_name');
      if (lora !== undefined)
        this.#report(from, `LoRA ${wordIn(lora)} is not carried over: a custom model of a service could hold it`);
      link = from.inputs.model;
    }
  }

  #step(node: ComfyNode, model: string, fields: ImportedStep['fields'], kind: 'image' | 'video', batch = 1): Flow {
    const title =
      node.title === node.type
        ? model === 'V-UP'
          ? 'upscaled'
          : kind === 'video'
            ? 'shot'
            : model === 'I-EDIT-A'
              ? 'edited'
              : 'still'
        : node.title;
    const name = stepName(title, new Set(this.steps.map(one => one.name)));
    this.steps.push({ name, was: nodeName(node), model, fields, ...(batch > 1 && { takes: batch }) });
    return { is: 'media', kind, value: { is: 'result', step: name, makes: kind } };
  }

  #first(node: ComfyNode, names: readonly string[]): Flow {
    for (const name of names) {
      const flow = this.#input(node, name);
      if (flow.is === 'text') return flow;
    }
    return NONE;
  }

  #linked(node: ComfyNode, name: string): ComfyNode | undefined {
    const input = node.inputs[name];
    return input?.is === 'link' ? this.#graph.nodes.get(input.from) : undefined;
  }

  #report(node: ComfyNode, what: string): void {
    const line = `${nodeName(node)}: ${what}`;
    if (this.#reported.has(line)) return;
    this.#reported.add(line);
    this.left.push(line);
  }
}

const isUnknown = ({ type }: ComfyNode): boolean => !KNOWN.has(type) && !isPartner(type);
const UNKNOWN = "it is none of ComfyUI's own nodes that we know: what it does is not carried over";
const PASSED = `${UNKNOWN}, and what arrives there goes on as it is`;

function valueIn(flow: Flow): ImportedValue | undefined {
  if (flow.is === 'media') return flow.value;
  if (flow.is === 'value') return flow.value === '' || flow.value === null ? undefined : literal(flow.value);
  if (flow.is !== 'text' || flow.parts.length === 0) return undefined;
  return flow.parts.length === 1 ? flow.parts[0] : { is: 'joined', parts: flow.parts };
}
