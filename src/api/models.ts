/** The labels of the interface document this build knows. One file each in `schema/models/`; a test holds them to `schema/model.schema.json`. */
import iEditA from '../../schema/models/I-EDIT-A.json' with { type: 'json' };
import iGenA from '../../schema/models/I-GEN-A.json' with { type: 'json' };
import vI2vA from '../../schema/models/V-I2V-A.json' with { type: 'json' };
import vRf from '../../schema/models/V-RF.json' with { type: 'json' };
import vRt from '../../schema/models/V-RT.json' with { type: 'json' };
import vT2vA from '../../schema/models/V-T2V-A.json' with { type: 'json' };
import vUp from '../../schema/models/V-UP.json' with { type: 'json' };
import type { Model, ModelLibrary } from '../domain/model.ts';

// TypeScript reads `"kind": "reframe"` in a JSON file as any text: the meta-schema's test is what makes this claim true.
const files = [vT2vA, vI2vA, vRf, vRt, vUp, iGenA, iEditA] as readonly unknown[] as readonly Model[];

const byLabel = new Map(files.map(model => [model.label, model]));

export const modelLibrary: ModelLibrary = {
  get: label => byLabel.get(label),
  labels: [...byLabel.keys()],
};
