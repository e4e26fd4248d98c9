"""What all tests share: property tests that are the same in every run."""

from hypothesis import settings

settings.register_profile("same", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("same")
