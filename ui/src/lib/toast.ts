type Options = { description?: string }

/** Says something in passing. The library that draws it comes with the first message. */
async function show(kind: 'success' | 'error' | 'info', message: string, options?: Options): Promise<void> {
  const { toast } = await import('sonner')
  toast[kind](message, options)
}

export const toast = {
  success: (message: string, options?: Options): void => void show('success', message, options),
  info: (message: string, options?: Options): void => void show('info', message, options),
  error: (message: string, options?: Options): void => void show('error', message, options),
}
