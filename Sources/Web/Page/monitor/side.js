export function buildSide() {}
