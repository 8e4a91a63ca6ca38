/** Parameters of a property: the same sample in every run of the gate, another one each time under `--full`. */
export const sample: { readonly seed?: number } =
  process.env['SLUICE_FULL'] === '1' ? {} : { seed: 1 }
