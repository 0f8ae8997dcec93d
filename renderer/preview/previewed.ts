/** The formats of results that can be looked at before they are downloaded. */
export const previewedFormats = ['docx', 'xlsx', 'pptx', 'txt', 'ofd'] as const
/** A format of results that can be looked at. */
export type PreviewedFormat = (typeof previewedFormats)[number]

export const isPreviewed = (format: string): format is PreviewedFormat => previewedFormats.some((one) => one === format)
