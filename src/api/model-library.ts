/**
 * The labels of the interface document this build knows. One file each in `schema/models/`; a test holds them to
 * `schema/model.schema.json`.
 */
import cA from '../../schema/models/C-A.json' with { type: 'json' };
import cB from '../../schema/models/C-B.json' with { type: 'json' };
import cC from '../../schema/models/C-C.json' with { type: 'json' };
import cD from '../../schema/models/C-D.json' with { type: 'json' };
import cF from '../../schema/models/C-F.json' with { type: 'json' };
import cG from '../../schema/models/C-G.json' with { type: 'json' };
import cH from '../../schema/models/C-H.json' with { type: 'json' };
import iEditA from '../../schema/models/I-EDIT-A.json' with { type: 'json' };
import iEditB from '../../schema/models/I-EDIT-B.json' with { type: 'json' };
import iEditC from '../../schema/models/I-EDIT-C.json' with { type: 'json' };
import iGenA from '../../schema/models/I-GEN-A.json' with { type: 'json' };
import vContextE from '../../schema/models/V-context-E.json' with { type: 'json' };
import vI2vA from '../../schema/models/V-I2V-A.json' with { type: 'json' };
import vI2vB from '../../schema/models/V-I2V-B.json' with { type: 'json' };
import vI2vC from '../../schema/models/V-I2V-C.json' with { type: 'json' };
import vI2vD from '../../schema/models/V-I2V-D.json' with { type: 'json' };
import vI2vE from '../../schema/models/V-I2V-E.json' with { type: 'json' };
import vRef from '../../schema/models/V-REF.json' with { type: 'json' };
import vRf from '../../schema/models/V-RF.json' with { type: 'json' };
import vRt from '../../schema/models/V-RT.json' with { type: 'json' };
import vT2vA from '../../schema/models/V-T2V-A.json' with { type: 'json' };
import vT2vB from '../../schema/models/V-T2V-B.json' with { type: 'json' };
import vT2vC from '../../schema/models/V-T2V-C.json' with { type: 'json' };
import vUp from '../../schema/models/V-UP.json' with { type: 'json' };
import vV2v from '../../schema/models/V-V2V.json' with { type: 'json' };
import type { Model, ModelLibrary } from '../model/model.ts';

// In the order of the document. TypeScript reads `"kind": "reframe"` in a JSON file as any text: the meta-schema's test is
// what makes this claim true.
const files = [
  vT2vA,
  vT2vB,
  vT2vC,
  vI2vA,
  vI2vB,
  vI2vC,
  vI2vD,
  vI2vE,
  vV2v,
  vRf,
  vRt,
  vUp,
  vRef,
  iEditA,
  iEditB,
  iEditC,
  iGenA,
  cA,
  cB,
  cC,
  cD,
  vContextE,
  cF,
  cG,
  cH,
] as readonly unknown[] as readonly Model[];

const byLabel = new Map(files.map(model => [model.label, model]));

export const modelLibrary: ModelLibrary = {
  get: label => byLabel.get(label),
  labels: [...byLabel.keys()],
};
