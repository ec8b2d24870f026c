import type { VariantProps } from 'class-variance-authority'
import { cva } from 'class-variance-authority'
import { Slot } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

const buttonVariants = cva(
  'inline-flex shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-md text-ui transition-colors disabled:opacity-50 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        ghost: 'text-text-2 hover:bg-hover hover:text-text data-[state=open]:bg-hover data-[state=open]:text-text',
        outline: 'border bg-panel text-text hover:bg-hover data-[state=open]:bg-hover',
        primary: 'bg-accent-fill font-medium text-on-accent hover:brightness-110',
        link: 'text-accent underline-offset-2 hover:underline',
      },
      size: { default: 'h-7 px-2', icon: 'size-7', tiny: 'h-5 px-1 text-small', tinyIcon: 'size-5', inline: '' },
    },
    defaultVariants: { variant: 'ghost', size: 'default' },
  },
)

type Props = ComponentProps<'button'> & VariantProps<typeof buttonVariants> & { asChild?: boolean }

export function Button({ className, variant, size, asChild = false, ...props }: Props) {
  const Comp = asChild ? Slot.Root : 'button'
  return <Comp type={asChild ? undefined : 'button'} className={cn(buttonVariants({ variant, size }), className)} {...props} />
}

/** A button that shows an icon only: its label is read aloud and shown on hover. */
export function IconButton({ label, size = 'icon', ...props }: Props & { label: string }) {
  return <Button aria-label={label} data-tip={label} size={size} {...props} />
}
